#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace postrider::test {

/// A clock for other processes that can be set while they run (libfaketime). Monotonic clocks are
/// not changed.
class faked_clock {
  public:
    /// The file has the offset of the clock; the server's user must be able to read it.
    explicit faked_clock(std::filesystem::path file);

    /// Whether the library is installed.
    static bool available();
    /// The environment of a process that has this clock.
    std::map<std::string, std::string> variables() const;
    /// Processes started while it lives have this clock.
    void run(const std::function<void()>& start) const;
    /// Sets its offset from the real clock, ahead or behind.
    void set(std::chrono::seconds ahead) const;

  private:
    std::filesystem::path file_;
};

}  // namespace postrider::test
