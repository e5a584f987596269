#pragma once

#include <termios.h>

#include <chrono>
#include <string>
#include <vector>

#include "cli/stop_signal.hpp"

namespace postrider::cli {

/// One line of a page. Its text is printable already.
struct screen_line {
    enum class look { plain, title, heading, warning, problem };

    std::string text;
    look how = look::plain;
};

/// The terminal as a page that is drawn again and again; as it was at the end of the object's life.
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
    /// What does not fit is cut off.
    void draw(const std::vector<screen_line>& page) const;
    /// Waits for a key, a signal or another size.
    event wait(std::chrono::milliseconds time) const;

  private:
    const stop_signal& stop_;
    bool colours_;
    int resized_ = -1;
    termios before_ = {};
};

/// NO_COLOR, https://no-color.org, and terminals that say they are dumb.
bool colours_wanted();

}  // namespace postrider::cli
