#include "worker/doorbell/doorbell_keeper.hpp"

#include <utility>

#include "base/blocked_signals.hpp"

namespace postrider::working {

doorbell_keeper::doorbell_keeper(doorbell_duty::place where, pg::watchdog& watchdog,
                                 std::function<void()> changed)
    : where_(std::move(where)), watchdog_(watchdog) {
    control_.changed = std::move(changed);
}

void doorbell_keeper::start() {
    if (running_) {
        return;
    }
    stop();
    control_.stopping = false;
    control_.wake.clear();
    running_ = true;
    const blocked_signals meanwhile;
    thread_ = std::thread([this] { run(); });
}

void doorbell_keeper::stop() noexcept {
    control_.stopping = true;
    control_.wake.set();
    if (thread_.joinable()) {
        thread_.join();
    }
}

std::string doorbell_keeper::take_problem() {
    const std::lock_guard lock(mutex_);
    return std::exchange(problem_, {});
}

void doorbell_keeper::run() {
    try {
        doorbell_duty duty(where_, watchdog_);
        if (!control_.stopping && duty.keep()) {
            serving_ = true;
            duty.serve(control_);
            duty.leave();
        }
    } catch (const std::exception& problem) {
        const std::lock_guard lock(mutex_);
        problem_ = problem.what();
    }
    serving_ = false;
    running_ = false;
    control_.changed();
}

}  // namespace postrider::working
