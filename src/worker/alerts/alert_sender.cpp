#include "worker/alerts/alert_sender.hpp"

#include <algorithm>
#include <utility>

#include "base/blocked_signals.hpp"

namespace postrider::working {
namespace {

// Limit of a target's retry_after.
constexpr std::chrono::seconds longest_pause = std::chrono::minutes(10);

alert_answer ask(alert_target& to, const alert& record, const std::stop_token& stop) {
    try {
        return to.send(record, stop);
    } catch (const std::exception& problem) {
        return {.sent = false, .problem = problem.what()};
    } catch (...) {
        return {.sent = false, .problem = "unknown exception"};
    }
}

}  // namespace

void alert_sender::push(store::claimed_alert one) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(one));
    ++in_hand_;
    if (!thread_.joinable()) {
        const blocked_signals meanwhile;
        thread_ = std::thread([self = shared_from_this()] { self->work(); });
    }
    changed_.notify_all();
}

std::vector<store::alert_result> alert_sender::take_results() {
    const std::lock_guard lock(mutex_);
    in_hand_ -= static_cast<int>(results_.size());
    return std::exchange(results_, {});
}

bool alert_sender::ready(clock::time_point now) const {
    const std::lock_guard lock(mutex_);
    return in_hand_ == 0 && now >= not_before_;
}

bool alert_sender::busy() const {
    const std::lock_guard lock(mutex_);
    return in_hand_ > 0;
}

void alert_sender::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stop_.stop_requested() || !queue_.empty(); });
        if (stop_.stop_requested()) {
            break;
        }
        const auto one = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        send(one);
        lock.lock();
    }
    over_ = true;
    changed_.notify_all();
}

void alert_sender::send(const store::claimed_alert& one) {
    const auto answer = ask(*to_, one.record, stop_.get_token());
    {
        const std::lock_guard lock(mutex_);
        finish(one, answer);
        // The other alerts would each run into the same timeout.
        if (!answer.sent && answer.target_down) {
            give_up(answer.problem);
            // Clamped as seconds: the clock's unit could overflow.
            not_before_ = clock::now() +
                          std::clamp(answer.retry_after, std::chrono::seconds(0), longest_pause);
        }
    }
    done_();
}

void alert_sender::finish(const store::claimed_alert& one, const alert_answer& answer) {
    results_.push_back({name_, one.record.id, one.token,
                        answer.sent ? std::nullopt : std::optional(answer.problem)});
}

void alert_sender::give_up(const std::string& problem) {
    for (const auto& one : std::exchange(queue_, {})) {
        finish(one, {.sent = false, .problem = problem});
    }
}

void alert_sender::stop(std::chrono::milliseconds timeout) {
    // Before the lock: the thread that wakes must see the request.
    stop_.request_stop();
    std::unique_lock lock(mutex_);
    changed_.notify_all();
    if (!thread_.joinable()) {
        return;
    }
    const bool ended = changed_.wait_for(lock, timeout, [this] { return over_; });
    give_up("the worker stopped before it was sent");
    lock.unlock();
    if (ended) {
        thread_.join();
    } else {
        thread_.detach();
    }
}

}  // namespace postrider::working
