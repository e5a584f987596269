#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>

namespace postrider::cli {

/// The commands that run now, each the leader of a process group. Used by many threads at once.
class running_commands {
  public:
    /// Starts one and remembers it; gives -1 when nothing may begin any more.
    pid_t start(const std::function<pid_t()>& fork_one);
    /// It has been waited for.
    void ended(pid_t leader);

    /// Kills all of them, with their groups; nothing begins from now on.
    void kill_all();
    /// Whether that was asked for.
    bool killed() const;
    /// False when the time is over first.
    bool wait_for_none(std::chrono::milliseconds time);

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::set<pid_t> leaders_;
    bool closed_ = false;
};

}  // namespace postrider::cli
