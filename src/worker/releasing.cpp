// Messages of a lease wait behind the handlers that run. When these take much longer than others
// did, the worker gives the messages back, uncharged, for its peers to begin.
#include <algorithm>

#include "store/workers.hpp"
#include "worker/coordinator.hpp"

namespace postrider::working {
namespace {

using std::chrono::milliseconds;

// While no thread begins anything. The ledger reports what was given back a quarter of a second
// later, so a message waits about a second.
constexpr auto stalled_after = milliseconds(750);
// While threads go on, but too few of them.
constexpr auto late_after = std::chrono::seconds(5);
// A released message costs a row. A short stall of a worker with thousands of quick messages must
// not cost thousands of rows, so the number grows with the time that the stall lasts.
constexpr int release_first = 256;

}  // namespace

void coordinator::release_waiting(clock::time_point now) {
    if (stopping_ || now < next_release_) {
        return;
    }
    const auto busy_since = crew_->all_busy_since();
    const bool stalled = busy_since && now >= *busy_since + stalled_after;
    const auto claimed_before = now - (stalled ? clock::duration(stalled_after) : late_after);
    if (crew_->waiting_since() > claimed_before) {
        release_most_ = 0;
        return;
    }
    next_release_ = now + stalled_after;
    release_most_ = std::max(release_most_, release_first);
    const auto watched = watch(session());
    if (!store::has_peer(session(), id_)) {
        return;
    }
    int count = 0;
    for (const auto& unstarted : crew_->withdraw_waiting(claimed_before, release_most_)) {
        ledger_.give_back(unstarted, now);
        count += unstarted.end - unstarted.begin;
    }
    if (count == 0) {
        return;
    }
    release_most_ = std::min(release_most_ * 2, options_.in_flight_max);
    pace_.hold_back();
    say(level::info, "released",
        std::to_string(count) + " messages that no thread could begin were given back");
}

// When release_waiting() has something to look at.
clock::time_point coordinator::next_release(clock::time_point now) const {
    const auto waiting_since = crew_->waiting_since();
    if (waiting_since == clock::time_point::max()) {
        return waiting_since;
    }
    const auto since = std::max(waiting_since, crew_->all_busy_since().value_or(now));
    return std::max(next_release_, since + stalled_after);
}

}  // namespace postrider::working
