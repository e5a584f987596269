#include "cli/work/exec/running_commands.hpp"

#include <csignal>

namespace postrider::cli {

pid_t running_commands::start(const std::function<pid_t()>& spawn_one) {
    // Under the lock, so that kill_all() sees every started process.
    const std::lock_guard lock(mutex_);
    if (closed_) {
        return -1;
    }
    const auto leader = spawn_one();
    leaders_.insert(leader);
    return leader;
}

void running_commands::ended(pid_t leader) {
    const std::lock_guard lock(mutex_);
    leaders_.erase(leader);
    changed_.notify_all();
}

void running_commands::kill_all() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (const auto leader : leaders_) {
        ::kill(-leader, SIGKILL);
    }
}

bool running_commands::wait_for_none(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return leaders_.empty(); });
}

bool running_commands::killed() const {
    const std::lock_guard lock(mutex_);
    return closed_;
}

}  // namespace postrider::cli
