#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>

namespace postrider::cli {

/// The running commands, each the leader of a process group. Thread-safe.
class running_commands {
  public:
    /// Starts and registers a command; returns -1 after kill_all().
    pid_t start(const std::function<pid_t()>& spawn_one);
    /// Unregisters a command after waitpid().
    void ended(pid_t leader);

    /// Kills all commands with their groups; no command starts afterwards.
    void kill_all();
    /// Whether kill_all() was called.
    bool killed() const;
    /// False after the timeout.
    bool wait_for_none(std::chrono::milliseconds time);

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::set<pid_t> leaders_;
    bool closed_ = false;
};

}  // namespace postrider::cli
