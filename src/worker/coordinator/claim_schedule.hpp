#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace postrider::working {

/// When to claim from the log. After a claim that found no message the log counts as exhausted
/// until a NOTIFY arrives or the sweep interval has passed. No database here.
class claim_schedule {
  public:
    using clock = std::chrono::steady_clock;

    /// The last claim found no message, and there is no reason to claim again yet.
    bool exhausted() const { return exhausted_; }
    /// Messages may have been published.
    void look() { exhausted_ = false; }
    /// A NOTIFY arrived.
    void notified() {
        exhausted_ = false;
        notified_ = true;
    }

    /// The claim returned `count` messages of at most `limit`. In a steady stream each claim would
    /// return only the messages published during the previous claim, and claims would load the
    /// server as much as the producers do. So the next claim comes a little later, unless there
    /// were few messages.
    void found(int count, int limit, clock::time_point now) {
        notified_ = false;
        noted_only_ = false;
        look_after_ = first_look;
        collects_until_ = few < count && count < limit ? now + collect_time : clock::time_point{};
    }
    /// Messages collect in the log until then.
    clock::time_point collects_until() const { return collects_until_; }
    void collect_no_longer() { collects_until_ = {}; }
    /// The claim returned no message. `parked`: it turned some into deliveries, so more may follow.
    /// True when a NOTIFY had arrived: it may have announced a due delivery.
    bool found_none(bool parked) {
        exhausted_ = !parked;
        noted_only_ = parked;
        return std::exchange(notified_, false);
    }

    /// The last claim found only messages that have to wait: reading on takes no thread.
    bool noted_only() const { return noted_only_ && !exhausted_; }

    /// While producers skip NOTIFY, the keeper wakes workers every 20 ms. A worker that has just
    /// found messages claims again earlier: after 1, 2, 4 and 8 ms.
    void look_again_soon(clock::time_point now) {
        if (exhausted_ && !look_at_ && look_after_ <= last_look) {
            look_at_ = now + look_after_;
            look_after_ *= 2;
        }
    }
    void sweep_at(clock::time_point when) { next_sweep_ = when; }
    void sweep_by(clock::time_point when) { next_sweep_ = std::min(next_sweep_, when); }

    clock::time_point next_at() const {
        return std::min(next_sweep_, look_at_.value_or(clock::time_point::max()));
    }
    /// True when the sweep interval has passed: due deliveries must be looked for, too.
    bool run(clock::time_point now, clock::duration sweep_interval) {
        if (look_at_ && now >= *look_at_) {
            look_at_.reset();
            exhausted_ = false;
        }
        if (now < next_sweep_) {
            return false;
        }
        next_sweep_ = now + sweep_interval;
        exhausted_ = false;
        return true;
    }

  private:
    static constexpr clock::duration first_look = std::chrono::milliseconds(1);
    static constexpr clock::duration last_look = std::chrono::milliseconds(8);
    static constexpr clock::duration collect_time = std::chrono::milliseconds(3);
    static constexpr int few = 4;

    bool exhausted_ = false;
    bool notified_ = false;  ///< and no claim since
    bool noted_only_ = false;
    clock::time_point next_sweep_ = {};
    std::optional<clock::time_point> look_at_ = {};
    clock::time_point collects_until_ = {};
    clock::duration look_after_ = clock::duration::max();  ///< before the first message: never
};

}  // namespace postrider::working
