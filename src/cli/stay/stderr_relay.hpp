#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace postrider::cli {

/// Cuts the stderr of a child into lines for the log. A child that floods it does not flood the
/// log: lines are truncated, and the number of lines per second is limited.
class stderr_relay {
  public:
    using clock = std::chrono::steady_clock;
    using take_line = std::function<void(std::string_view)>;

    static constexpr std::size_t line_max = 1000;
    static constexpr int lines_per_second = 100;

    explicit stderr_relay(take_line take) : take_(std::move(take)) {}

    void add(std::string_view text, clock::time_point now);
    /// The child has ended: passes on an incomplete last line.
    void finish();

  private:
    void pass_on(clock::time_point now);
    void tell_dropped();

    take_line take_;
    std::string line_;
    clock::time_point second_ = {};  ///< start of the current second
    int passed_ = 0;
    std::int64_t dropped_ = 0;
};

}  // namespace postrider::cli
