#include "cli/progress_bar.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace postrider::cli {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto between_drawings = 100ms;
constexpr std::int64_t width = 30;

}  // namespace

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
    std::string bar;
    if (total_ && *total_ > 0) {
        const auto filled = std::clamp<std::int64_t>(done * width / *total_, 0, width);
        bar = fmt::format("[{}{}] {:>3}%  ", std::string(static_cast<std::size_t>(filled), '='),
                          std::string(static_cast<std::size_t>(width - filled), ' '),
                          std::min<std::int64_t>(done * 100 / *total_, 100));
    }
    fmt::print(stderr, "\r\033[K{}{} messages  {:.0f}/s", bar, messages,
               static_cast<double>(messages) / seconds);
    std::fflush(stderr);
}

}  // namespace postrider::cli
