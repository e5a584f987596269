// The number of due deliveries that the worker claims, and their distribution to threads.
#include <algorithm>

#include "base/fault_points.hpp"
#include "store/work/deliveries.hpp"
#include "worker/due/due_deliveries.hpp"

namespace postrider::working {
namespace {

// After a due delivery that this worker could not claim.
constexpr auto retry_interval = std::chrono::seconds(1);
// A claim that has to stop at a suspect has locked deliveries that it does not hand out. So the
// number of deliveries to hold grows only while claims return as many as requested.
constexpr int first_hold = 64;
constexpr int hold_growth = 4;

}  // namespace

void due_deliveries::claim_free(worker_context& context, clock::time_point now, bool idle) {
    const auto wanted = next_claim(context);
    if (wanted.limit == 0) {
        request_thread(context, true);
        if (wanted.hold == 0) {
            return;
        }
    } else if (!context.schedule.exhausted() && context.threads->lease_has_next_turn()) {
        return;  // the room that finished messages leave is for a lease first
    }
    if (const int got = claim(context, wanted, idle); got > 0) {
        alone_.claimed(now);
        context.due_changed = got < wanted.limit + wanted.hold;
        return;
    }
    if (wanted.limit == 0) {
        return;  // the next delivery is one that has to wait for a free thread
    }
    ask(context, now);
    if (next_due_ && *next_due_ <= clock::now()) {
        // A delivery is due that this worker cannot claim: it must run alone, another worker is
        // claiming it, or the consumer is paused.
        next_due_ = now + retry_interval;
        drain(context, now, idle);
        return;
    }
    alone_.cancel();
}

// Free threads get deliveries at once. While held deliveries wait, more are claimed when half of
// them have started, so that threads do not wait for the claim.
due_deliveries::amounts due_deliveries::next_claim(const worker_context& context) const {
    const int limit = std::max(context.threads->free_threads(), 0);
    if (hold_max_ == 0) {
        return {limit, 0};
    }
    const int in_hand = context.held.in_hand();
    const bool leases = in_hand > context.held.due();
    const int ahead = context.speed.ahead(context.stuck.threads) / (leases ? 2 : 1);
    const int held = context.threads->held();
    const auto& options = context.options;
    const int room =
        std::min({ahead - held, options.in_flight_max - in_hand, options.batch_max, hold_max_});
    return {limit, limit > 0 || 2 * held <= ahead ? std::max(room, 0) : 0};
}

// Returns the number of claimed deliveries.
int due_deliveries::claim(worker_context& context, amounts wanted, bool alone) {
    auto& session = context.session();
    const auto watched = context.watch(session);
    const auto began = clock::now();
    auto due = store::claim_due(session, {.worker = context.id,
                                          .limit = wanted.limit,
                                          .deadline = context.lease_length(),
                                          .alone = alone,
                                          .batches = batches_,
                                          .hold = wanted.hold});
    context.measure("claim_due", began);
    const int got = due.size();
    hold_max_ =
        got < wanted.limit + wanted.hold ? 0 : std::max(hold_max_ * hold_growth, first_hold);
    hold_max_ = std::min(hold_max_, context.options.batch_max);
    if (wanted.limit > 0) {
        request_thread(context, false);
    }
    if (got == 0) {
        return 0;
    }
    POSTRIDER_FAULT("worker.after_claim");
    const auto held = std::make_shared<held_batch>(std::move(due));
    held->claimed_at = began;
    held->begin_before = began + context.options.heartbeat_timeout / 2;
    context.held.hold(held);
    push(context, held, wanted.limit);
    return got;
}

// The database puts the deliveries of the runs that free threads start first.
void due_deliveries::push(worker_context& context, const std::shared_ptr<held_batch>& held,
                          int runs) {
    const auto& handlers = context.threads->environment().handlers;
    held->look_for_batches(handlers);
    std::vector<slice> at_once;
    int begin = 0;
    for (; begin < held->size() && std::ssize(at_once) < runs; begin = at_once.back().end) {
        at_once.push_back({held, begin, held->end_of_run(begin, handlers)});
    }
    if (!at_once.empty()) {
        context.threads->push_due(at_once);
    }
    if (begin < held->size()) {
        context.threads->push({held, begin, held->size()});
    }
}

}  // namespace postrider::working
