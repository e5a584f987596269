#include "cli/output/screen.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <postrider/error.hpp>
#include <string_view>

#include "cli/output/terminal_text.hpp"

namespace postrider::cli {
namespace {

// Alternate screen, no cursor, no line wrapping.
constexpr std::string_view enter = "\x1b[?1049h\x1b[?25l\x1b[?7l";
constexpr std::string_view leave = "\x1b[?7h\x1b[?25h\x1b[?1049l";

std::string_view style(screen_line::look how) {
    switch (how) {
        case screen_line::look::title:
            return "\x1b[1m";
        case screen_line::look::heading:
            return "\x1b[2m";
        case screen_line::look::warning:
            return "\x1b[33m";
        case screen_line::look::problem:
            return "\x1b[31m";
        case screen_line::look::plain:
            break;
    }
    return "";
}

void put(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

}  // namespace

screen::screen(const stop_signal& stop, bool colours) : stop_(stop), colours_(colours) {
    if (!is_terminal(STDIN_FILENO) || !is_terminal(STDOUT_FILENO) ||
        ::tcgetattr(STDIN_FILENO, &before_) != 0) {
        throw usage_error(
            "stdout is not a terminal: use --once, or --json for one line per sample");
    }
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGWINCH);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    resized_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    auto raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    put(enter);
}

screen::~screen() {
    put(leave);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
    ::close(resized_);
}

screen::size screen::measure() const {
    winsize now{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) != 0 || now.ws_col == 0 || now.ws_row == 0) {
        return {80, 24};
    }
    return {now.ws_col, now.ws_row};
}

void screen::draw(const std::vector<screen_line>& page) const {
    const auto room = measure();
    std::string text = "\x1b[H";
    std::size_t drawn = 0;
    for (const auto& line : page) {
        if (drawn == room.rows) {
            break;
        }
        const auto look = colours_ ? style(line.how) : "";
        text += drawn++ == 0 ? "" : "\n";
        text += look;
        text += shortened(line.text, room.columns);
        text += look.empty() ? "" : "\x1b[0m";
        text += "\x1b[K";
    }
    put(text + "\x1b[J");
}

screen::event screen::wait(std::chrono::milliseconds time) const {
    std::array<pollfd, 3> sources{
        {{STDIN_FILENO, POLLIN, 0}, {stop_.descriptor(), POLLIN, 0}, {resized_, POLLIN, 0}}};
    if (::poll(sources.data(), sources.size(), static_cast<int>(time.count())) <= 0) {
        return event::nothing;
    }
    if (sources[1].revents != 0) {
        return event::quit;
    }
    if (sources[2].revents != 0) {
        signalfd_siginfo taken;
        return ::read(resized_, &taken, sizeof taken) > 0 ? event::refresh : event::nothing;
    }
    char key = 0;
    const auto got = ::read(STDIN_FILENO, &key, 1);
    if (got <= 0 || key == 'q' || key == 'Q') {
        return event::quit;
    }
    return key == ' ' ? event::refresh : event::nothing;
}

bool colours_wanted() {
    const char* refused = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return (refused == nullptr || *refused == '\0') &&
           !(terminal != nullptr && std::string_view(terminal) == "dumb");
}

}  // namespace postrider::cli
