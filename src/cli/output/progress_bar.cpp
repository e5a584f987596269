#include "cli/output/progress_bar.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/output/say.hpp"
#include "cli/output/terminal_text.hpp"

namespace postrider::cli {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto between_drawings = 100ms;
constexpr std::size_t width_max = 30;
constexpr std::size_t width_min = 5;  // a shorter bar is useless

// A line wider than the terminal would wrap and could not be redrawn.
std::string fitting(const std::string& line, std::size_t columns) {
    return columns < 2 ? line : shortened(line, columns - 1);
}

}  // namespace

std::string bar_line(std::string_view before, double share, std::string_view after) {
    const auto columns = terminal_columns(STDERR_FILENO);
    const auto used = width_of(before) + width_of(after) + 3;
    const auto width =
        columns == 0 ? width_max : std::min(width_max, columns - std::min(columns, used));
    if (width < width_min) {
        return fitting(fmt::format("{}{}", before, after), columns);
    }
    const auto filled =
        static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(width));
    return fmt::format("{}[{:<{}}]{}", before, std::string(filled, '#'), width, after);
}

progress_bar::progress_bar(std::optional<std::int64_t> total, bool wanted)
    : total_(total), drawing_(wanted && ::isatty(STDERR_FILENO) == 1) {}

progress_bar::~progress_bar() {
    if (drawn_) {
        std::fputs("\r\033[K", stderr);
    }
}

void progress_bar::show(std::int64_t done, std::int64_t messages) {
    const auto now = clock::now();
    if (!drawing_ || now < next_) {
        return;
    }
    next_ = now + between_drawings;
    drawn_ = true;
    const double seconds = std::max(std::chrono::duration<double>(now - began_).count(), 0.001);
    auto line =
        fmt::format("{} messages  {:.0f}/s", messages, static_cast<double>(messages) / seconds);
    if (total_ && *total_ > 0) {
        const auto share = static_cast<double>(done) / static_cast<double>(*total_);
        line = bar_line(
            "", share,
            fmt::format(" {:>3}%  {}", std::min<std::int64_t>(done * 100 / *total_, 100), line));
    } else {
        line = fitting(line, terminal_columns(STDERR_FILENO));
    }
    say("\r\033[K{}", line);
    std::fflush(stderr);
}

}  // namespace postrider::cli
