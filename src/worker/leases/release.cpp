#include "worker/leases/release.hpp"

#include <algorithm>

#include "store/work/workers.hpp"

namespace postrider::working {
namespace {

// While no thread starts a message. The ledger reports returned messages a quarter of a second
// later, so a message waits about a second.
constexpr auto stalled_after = std::chrono::milliseconds(750);
// While threads start messages, but too few of them.
constexpr auto late_after = std::chrono::seconds(5);
// A released message costs a row. A short stall of a worker with thousands of quick messages must
// not cost thousands of rows, so the number grows with the duration of the stall.
constexpr int first_release = 256;

}  // namespace

void release::run(worker_context& context, clock::time_point now) {
    if (context.stopping || now < next_) {
        return;
    }
    auto& threads = *context.threads;
    const auto busy_since = threads.all_busy_since();
    const bool stalled = busy_since && now >= *busy_since + stalled_after;
    const auto claimed_before = now - (stalled ? clock::duration(stalled_after) : late_after);
    if (threads.waiting_since() > claimed_before) {
        most_ = 0;
        return;
    }
    next_ = now + stalled_after;
    most_ = std::max(most_, first_release);
    const auto watched = context.watch(context.session());
    if (!store::has_peer(context.session(), context.id)) {
        return;
    }
    const auto unstarted = threads.withdraw_waiting(claimed_before, most_);
    int count = 0;
    for (const auto& one : unstarted) {
        count += one.end - one.begin;
    }
    if (count == 0) {
        return;
    }
    context.give_back(unstarted, now);
    most_ = std::min(most_ * 2, context.options.in_flight_max);
    context.speed.hold_back();
    context.report(level::info, "released",
                   std::to_string(count) + " messages that no thread could start were returned");
}

clock::time_point release::next_at(const worker_context& context, clock::time_point now) const {
    const auto waiting_since = context.threads->waiting_since();
    if (waiting_since == clock::time_point::max()) {
        return waiting_since;
    }
    const auto since = std::max(waiting_since, context.threads->all_busy_since().value_or(now));
    return std::max(next_, since + stalled_after);
}

}  // namespace postrider::working
