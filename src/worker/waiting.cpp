// What the coordinator waits for when nothing is to be done, and until when.
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "worker/coordinator.hpp"

namespace postrider::working {
namespace {

using std::chrono::milliseconds;

constexpr auto linger_last = milliseconds(8);

}  // namespace

// Waits for a finished slice, a notification, a stop or a time.
void coordinator::stand_by() {
    const auto now = clock::now();
    stop_overdue(now);
    linger(now);
    wait_until(std::min(next_turn(clock::now()), crew_->spread(now)));
}

// While producers are silent the keeper wakes workers every 20 ms. A worker that has just found
// messages looks for more by itself, a few times and ever more seldom.
void coordinator::linger(clock::time_point now) {
    if (!dry_ || look_soon_ || !listener_.heard_relay() || look_soon_after_ > linger_last) {
        return;
    }
    look_soon_ = now + look_soon_after_;
    look_soon_after_ *= 2;
}

clock::time_point coordinator::next_turn(clock::time_point now) const {
    auto next = clock::time_point::max();
    if (ledger_.in_hand() > 0) {
        next = std::min(next, next_overdue_);
        next = doubted_ ? next : std::min(next, last_beat_ + options_.heartbeat_timeout);
    }
    if (stopping_) {
        next = std::min(next, grace_over_);
    }
    if (!trouble_.over(now)) {
        return std::min(next, trouble_.until());
    }
    next = std::min({next, next_beat_, ledger_.next_report()});
    // Below is what nobody who stops does any more: to wait for it would be to turn in circles.
    if (stopping_) {
        return next;
    }
    if (wanted(false) > 0) {
        return now;
    }
    next =
        std::min({next, next_house_, next_sweep_, next_due_turn(), next_replay_, next_retention_});
    next = std::min(next, next_release(now));
    if (!alerts_.empty()) {
        next = std::min(next, next_alerts_);
    }
    if (!listener_.is_open()) {
        next = std::min(next, listener_trouble_.until());
    } else if (watches_doorbell()) {
        next = std::min(next, next_doorbell_);
    }
    return look_soon_ ? std::min(next, *look_soon_) : next;
}

// When take_due() has something to do.
clock::time_point coordinator::next_due_turn() const {
    auto next = clock::time_point::max();
    if (ledger_.running_alone()) {
        return next;
    }
    if (due_stale_) {
        next = next_due_question_;
    }
    if (quiesce_ && ledger_.in_hand() > 0) {
        return std::min(next, quiesce_over_);
    }
    // Who wished for a free hand is woken.
    const bool waits = wished_ && crew_->free_hands() <= 0;
    return next_due_ && !waits ? std::min(next, *next_due_) : next;
}

void coordinator::wait_until(clock::time_point when) {
    if (hear(listener_.may_have_heard())) {
        return;
    }
    constexpr auto longest = std::chrono::minutes(1);
    const auto before = clock::now();
    const auto left = std::chrono::ceil<milliseconds>(std::min(when, before + longest) - before);
    std::array<pollfd, 2> sources{pollfd{crew_->wake().descriptor(), POLLIN, 0},
                                  pollfd{listener_.socket(), POLLIN, 0}};
    const int ready = ::poll(sources.data(), sources.size(),
                             static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready < 0 && errno != EINTR) {
        throw std::system_error(errno, std::generic_category(), "poll");
    }
    const auto now = clock::now();
    if (look_soon_ && now >= *look_soon_) {
        look_soon_.reset();
        dry_ = false;
    }
    if (now >= next_sweep_) {
        next_sweep_ = now + (announced() ? options_.sweep : options_.poll);
        dry_ = false;
        due_stale_ = true;
    }
    hear(sources[1].revents != 0);
}

// True when a notification arrived.
bool coordinator::hear(bool something) {
    try {
        if (something && listener_.is_open() && listener_.take_notifications()) {
            dry_ = false;
            rung_ = true;
            if (listener_.heard_of_replay()) {
                next_replay_ = {};
            }
            if (listener_.heard_of_leaving()) {
                next_doorbell_ = {};
            }
            return true;
        }
    } catch (const std::exception& problem) {
        lose_listener(problem);
    }
    return false;
}

}  // namespace postrider::working
