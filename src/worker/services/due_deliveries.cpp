#include "worker/services/due_deliveries.hpp"

#include <algorithm>

#include "base/fault_points.hpp"
#include "store/deliveries.hpp"

namespace postrider::working {
namespace {

constexpr auto question_interval = std::chrono::milliseconds(100);
// After a due delivery that this worker could not claim.
constexpr auto retry_interval = std::chrono::seconds(1);

}  // namespace

bool due_deliveries::report(worker_context& context) {
    if (context.held.due_reports().empty()) {
        return false;
    }
    auto& session = context.session();
    const auto began = clock::now();
    const auto watched = context.watch(session);
    POSTRIDER_FAULT("worker.before_settle");
    for (const auto& [delivery, result] :
         store::settle_due(session, context.id, context.held.due_reports())) {
        context.due_changed = context.due_changed || result == store::delivery_result::pending;
        context.dead_letters = context.dead_letters || result == store::delivery_result::failed;
    }
    context.held.due_reported();
    POSTRIDER_FAULT("worker.after_settle");
    context.measure("settle_due", began);
    return true;
}

clock::time_point due_deliveries::next_at(const worker_context& context) const {
    auto next = clock::time_point::max();
    if (context.held.running_alone()) {
        return next;
    }
    if (context.due_changed) {
        next = next_question_;
    }
    if (alone_.draining() && context.held.in_hand() > 0) {
        return std::min(next, alone_.until());
    }
    // The pool wakes the worker when the requested thread is free.
    const bool waits = thread_requested_ && context.threads->free_threads() <= 0;
    return next_due_ && !waits ? std::min(next, *next_due_) : next;
}

bool due_deliveries::idle(const worker_context& context, clock::time_point now) const {
    return !context.due_changed && (!next_due_ || *next_due_ > now);
}

void due_deliveries::run(worker_context& context, clock::time_point now) {
    if (context.stopping || context.held.running_alone()) {
        request_thread(context, false);
        return;
    }
    if (context.due_changed && now >= next_question_) {
        ask(context, now);
        now = clock::now();
    }
    const bool idle = context.held.in_hand() == 0;
    if (alone_.draining() && !idle) {
        request_thread(context, false);
        drain(context, now, idle);
        return;
    }
    if (!next_due_ || now < *next_due_) {
        request_thread(context, false);
        alone_.cancel();
        return;
    }
    claim_free(context, now, idle);
}

// Claims as many deliveries as threads are free.
void due_deliveries::claim_free(worker_context& context, clock::time_point now, bool idle) {
    const int free = context.threads->free_threads();
    if (free <= 0) {
        request_thread(context, true);
        return;
    }
    if (!context.schedule.exhausted() && context.threads->lease_has_next_turn()) {
        return;  // finished messages make room, for a lease first
    }
    if (const int got = claim(context, free, idle); got > 0) {
        alone_.claimed(now);
        context.due_changed = got < free;
        return;
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

void due_deliveries::ask(worker_context& context, clock::time_point now) {
    auto& session = context.session();
    const auto watched = context.watch(session);
    const auto left = store::next_due(session, context.id);
    learn(left, clock::now());
    context.due_changed = false;
    next_question_ = now + question_interval;
}

void due_deliveries::learn(std::optional<clock::duration> left, clock::time_point now) {
    next_due_ = left ? std::optional(now + *left) : std::nullopt;
}

// Returns the number of claimed deliveries.
int due_deliveries::claim(worker_context& context, int limit, bool alone) {
    auto& session = context.session();
    const auto watched = context.watch(session);
    const auto began = clock::now();
    auto due = store::claim_due(session, {.worker = context.id,
                                          .limit = limit,
                                          .deadline = context.lease_length(),
                                          .alone = alone,
                                          .batches = batches_});
    context.measure("claim_due", began);
    const int got = due.size();
    request_thread(context, false);
    if (got == 0) {
        return 0;
    }
    POSTRIDER_FAULT("worker.after_claim");
    const auto held = std::make_shared<held_batch>(std::move(due));
    held->begin_before = began + context.options.heartbeat_timeout / 2;
    context.held.hold(held);
    std::vector<slice> slices;
    for (int begin = 0; begin < got; begin = slices.back().end) {
        slices.push_back(
            {held, begin, held->end_of_run(begin, context.threads->environment().handlers)});
    }
    context.threads->push_due(slices);
    return got;
}

void due_deliveries::request_thread(worker_context& context, bool requested) {
    if (thread_requested_ != requested) {
        thread_requested_ = requested;
        context.threads->request_free_thread(requested);
    }
}

void due_deliveries::drain(worker_context& context, clock::time_point now, bool idle) {
    if (alone_.run(now, idle, context.threads->environment().handlers.longest_timeout())) {
        next_due_ = now;
    }
}

}  // namespace postrider::working
