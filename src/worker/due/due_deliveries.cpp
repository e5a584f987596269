#include "worker/due/due_deliveries.hpp"

#include <algorithm>
#include <utility>

#include "base/fault_points.hpp"
#include "store/work/deliveries.hpp"

namespace postrider::working {
namespace {

constexpr auto question_interval = std::chrono::milliseconds(100);
// Between reports of few outcomes while more are expected.
constexpr auto report_interval = std::chrono::milliseconds(20);
constexpr std::size_t many_outcomes = 500;

}  // namespace

clock::time_point due_deliveries::next_report(const worker_context& context) const {
    const auto waiting = context.held.due_reports().size();
    if (waiting == 0) {
        return clock::time_point::max();
    }
    return context.held.due() == 0 || waiting >= many_outcomes ? clock::time_point{} : next_report_;
}

bool due_deliveries::report(worker_context& context, clock::time_point now, bool all) {
    if (context.held.due_reports().empty() || (!all && now < next_report(context))) {
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
    next_report_ = clock::now() + report_interval;
    return true;
}

clock::time_point due_deliveries::next_at(const worker_context& context) const {
    auto next = clock::time_point::max();
    if (context.held.running_alone()) {
        return next;
    }
    if (context.due_now) {
        return {};
    }
    if (context.due_changed) {
        next = next_question_;
    }
    if (alone_.draining() && context.held.in_hand() > 0) {
        return std::min(next, alone_.until());
    }
    // The pool wakes the worker when the requested thread is free, and when messages are finished.
    const auto [limit, hold] = next_claim(context);
    const bool waits = thread_requested_ && limit + hold == 0;
    return next_due_ && !waits ? std::min(next, *next_due_) : next;
}

bool due_deliveries::idle(const worker_context& context, clock::time_point now) const {
    return !context.due_changed && !context.due_now && (!next_due_ || *next_due_ > now);
}

void due_deliveries::run(worker_context& context, clock::time_point now) {
    if (context.stopping || context.held.running_alone()) {
        request_thread(context, false);
        return;
    }
    if (std::exchange(context.due_now, false)) {
        next_due_ = now;
    } else if (context.due_changed && now >= next_question_) {
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

void due_deliveries::ask(worker_context& context, clock::time_point now) {
    auto& session = context.session();
    const auto watched = context.watch(session);
    const auto left = store::next_due(session, context.id);
    learn(left.delivery, clock::now());
    context.waiting.learn(left.waiting, clock::now());
    context.due_changed = false;
    next_question_ = now + question_interval;
}

void due_deliveries::learn(std::optional<clock::duration> left, clock::time_point now) {
    next_due_ = left ? std::optional(now + *left) : std::nullopt;
    if (!left || *left > clock::duration::zero()) {
        hold_max_ = 0;
    }
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
