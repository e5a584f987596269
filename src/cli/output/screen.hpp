#pragma once

#include <termios.h>

#include <chrono>
#include <string>
#include <vector>

#include "cli/stop_signal.hpp"

namespace postrider::cli {

/// One line of a page, already printable.
struct screen_line {
    enum class look { plain, title, heading, warning, problem };

    std::string text;
    look how = look::plain;
};

/// The terminal as a full-screen page; the destructor restores it.
class screen {
  public:
    enum class event { nothing, refresh, quit };

    struct size {
        std::size_t columns;
        std::size_t rows;
    };

    screen(const stop_signal& stop, bool colours);
    screen(const screen&) = delete;
    screen& operator=(const screen&) = delete;
    ~screen();

    size measure() const;
    /// Cuts off lines and columns that do not fit.
    void draw(const std::vector<screen_line>& page) const;
    /// Waits for a key, a signal or a resize.
    event wait(std::chrono::milliseconds time) const;

  private:
    const stop_signal& stop_;
    bool colours_;
    int resized_ = -1;
    termios before_ = {};
};

/// False with NO_COLOR (https://no-color.org) and on dumb terminals.
bool colours_wanted();

}  // namespace postrider::cli
