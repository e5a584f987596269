#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace postrider::cli {

/// "before[####      ]after", as one line of the terminal on stderr. The bar fills the line, up to
/// 30 columns. `share` is 0 to 1.
std::string bar_line(std::string_view before, double share, std::string_view after);

/// Progress of a long command, drawn on stderr if it is a terminal.
class progress_bar {
  public:
    /// `total` in any unit; empty if unknown.
    explicit progress_bar(std::optional<std::int64_t> total, bool wanted);
    progress_bar(const progress_bar&) = delete;
    progress_bar& operator=(const progress_bar&) = delete;
    /// Clears the line.
    ~progress_bar();

    void show(std::int64_t done, std::int64_t messages);

  private:
    std::optional<std::int64_t> total_;
    bool drawing_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point next_ = {};
};

}  // namespace postrider::cli
