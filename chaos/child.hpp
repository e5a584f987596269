#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace postrider::chaos {

/// A process of the play. What it prints goes to a file. Killed at the end of its life.
class child {
  public:
    child(const std::vector<std::string>& arguments,
          const std::map<std::string, std::string>& variables, const std::filesystem::path& output);
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    ~child();

    /// Exit code, or 128 + signal, once it has ended; nothing while it runs.
    std::optional<int> ended();
    /// Waits so long for its end.
    std::optional<int> wait(std::chrono::milliseconds patience);
    void signal(int number) const;
    pid_t id() const { return id_; }

  private:
    pid_t id_ = -1;
    std::optional<int> status_;
};

}  // namespace postrider::chaos
