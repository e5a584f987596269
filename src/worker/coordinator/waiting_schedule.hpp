#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

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
        due_at_ = left ? std::optional(now + *left) : std::nullopt;
    }
    struct claim {
        bool any;            ///< messages were claimed or began to wait: others may come due soon
        bool more;           ///< it did not take everything that is due
        bool log_was_empty;  ///< messages of a priority below 0 were included
        bool throttled = false;  ///< messages wait for a limit of their handler
    };
    /// True when the database must be asked for the next due time.
    bool claimed(const claim& made, clock::time_point now) {
        look_ = made.any;
        more_ = made.more;
        low_included_ = made.log_was_empty;
        throttled_ = made.throttled;
        claimed_at_ = now;
        if (due_at_ && *due_at_ <= now) {
            due_at_.reset();
            return true;
        }
        return made.any;
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
        const auto look_at = look_ ? claimed_at_ + look_interval : clock::time_point::max();
        return std::min(look_at, due_at_.value_or(clock::time_point::max()));
    }

    /// The same for a worker that holds enough: it claims a few, since they may be urgent, and not
    /// more often than every 20 ms.
    clock::time_point urgent_at() const {
        const auto soonest = claimed_at_ + look_interval;
        if (look_ || more_) {
            return soonest;
        }
        return due_at_ ? std::max(*due_at_, soonest) : clock::time_point::max();
    }

  private:
    static constexpr clock::duration look_interval = std::chrono::milliseconds(20);

    bool look_ = true;
    bool more_ = false;
    bool low_included_ = false;
    bool throttled_ = false;
    clock::time_point claimed_at_ = {};
    std::optional<clock::time_point> due_at_ = {};
};

}  // namespace postrider::working
