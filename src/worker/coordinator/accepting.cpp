// Handles the answers to claims and reports.
#include "base/fault_points.hpp"
#include "worker/batches/lost_lease.hpp"
#include "worker/coordinator/coordinator.hpp"

namespace postrider::working {

void coordinator::accept(store::stream from, store::claimed_batch batch,
                         const std::shared_ptr<held_batch>& report, int limit) {
    if (report) {
        const bool any_failed = !report->failures.empty();
        context_.due_changed = context_.due_changed || any_failed;
        context_.dead_letters = context_.dead_letters || any_failed;
        accept_report(batch.settled(), report);
    }
    if (limit == 0) {
        return;
    }
    const bool parked = batch.parked() > 0;
    context_.due_changed = context_.due_changed || parked;
    if (parked && from == store::stream::log && context_.is_ordered()) {
        context_.waiting.look_at_once();  // they are handed out with the messages that wait
    }
    if (from == store::stream::waiting) {
        const bool throttled = batch.parked() == store::throttled;
        const bool ask = context_.waiting.claimed({.any = parked || !batch.empty(),
                                                   .more = batch.parked() != 0 && !throttled,
                                                   .log_was_empty = context_.schedule.exhausted(),
                                                   .throttled = throttled},
                                                  clock::now());
        context_.due_changed = context_.due_changed || ask;
    } else if (batch.empty()) {
        // Also when every message it read was cancelled or for other consumers: more may follow.
        const bool announced = context_.schedule.found_none(batch.parked() != 0);
        context_.due_changed = context_.due_changed || announced;
    } else {
        context_.schedule.found(batch.size(), limit, clock::now());
    }
    if (!batch.empty()) {
        POSTRIDER_FAULT("worker.after_claim");
        hold(from, std::move(batch));
    }
}

void coordinator::accept_report(std::optional<store::settlement> result,
                                const std::shared_ptr<held_batch>& report) {
    if (result == store::settlement::lost_lease) {
        lose_lease(context_, report);
    } else {
        context_.held.reported(report);
    }
}

void coordinator::hold(store::stream from, store::claimed_batch batch) {
    const int size = batch.size();
    const auto held = std::make_shared<held_batch>(from, std::move(batch));
    held->look_for_batches(context_.threads->environment().handlers);
    if (context_.keeps_order()) {
        held->look_for_chains();
    }
    const auto now = clock::now();
    held->claimed_at = now;
    held->deadline = now + context_.lease_length();
    context_.held.hold(held);
    heartbeat_.expire(context_, now);  // the answer may have been delayed
    using place = work_queue::place;
    context_.threads->push({held, 0, size},
                           from == store::stream::log ? place::back : place::front);
}

}  // namespace postrider::working
