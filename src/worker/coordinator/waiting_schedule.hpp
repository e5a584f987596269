#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace postrider::working {

/// When to claim messages that wait for their time or by their priority. They have a cursor of
/// their own, so the worker looks for new ones whenever it claims from the log, but not more often
/// than every 20 ms: that is how long an urgent message is held up by a backlog. No database here.
class waiting_schedule {
  public:
    using clock = std::chrono::steady_clock;

    /// Messages may have been published.
    void look() { look_ = true; }
    /// The same, without the interval.
    void look_at_once() {
        look_ = true;
        claimed_at_ = {};
    }
    /// The database's answer: time until the next one is due; nothing when none waits.
    void learn(std::optional<clock::duration> left, clock::time_point now) {
        due_at_ = left ? now + *left : never;
    }
    struct claim {
        bool any;            ///< messages were claimed or began to wait: others may come due soon
        bool more;           ///< it did not take everything that is due
        bool log_was_empty;  ///< messages of a priority below 0 were included
        bool throttled = false;  ///< messages wait for a limit of their handler
    };
    /// True when the worker must query the next due time: not while more messages are due, since
    /// the next claim follows at once.
    bool claimed(const claim& made, clock::time_point now) {
        look_ = made.any;
        more_ = made.more;
        low_included_ = made.log_was_empty;
        throttled_ = made.throttled;
        claimed_at_ = now;
        ask_ = ask_ || made.any || due_at_ <= now;
        due_at_ = due_at_ <= now ? never : due_at_;
        return !made.more && std::exchange(ask_, false);
    }

    /// A finished message may let another one start.
    bool throttled() const { return throttled_; }

    /// The worker is about to claim, and the log is empty.
    bool pending(clock::time_point now) const { return look_ || wants_claim(now, true); }
    bool wants_claim(clock::time_point now, bool log_is_empty) const {
        return next_at(log_is_empty) <= now;
    }
    clock::time_point next_at(bool log_is_empty) const {
        if (more_ || (log_is_empty && !low_included_)) {
            return {};
        }
        return std::min(look_ ? claimed_at_ + look_interval : never, due_at_);
    }

    /// The same for a worker that holds enough: it claims a few, since they may be urgent, and not
    /// more often than every 20 ms.
    clock::time_point urgent_at() const {
        const auto soonest = claimed_at_ + look_interval;
        if (look_ || more_) {
            return soonest;
        }
        return std::max(due_at_, soonest);
    }

  private:
    static constexpr clock::duration look_interval = std::chrono::milliseconds(20);
    static constexpr clock::time_point never = clock::time_point::max();

    bool look_ = true;
    bool more_ = false;
    bool low_included_ = false;
    bool throttled_ = false;
    bool ask_ = false;  ///< for the next due time, when no more is due
    clock::time_point claimed_at_ = {};
    clock::time_point due_at_ = never;
};

}  // namespace postrider::working
