#include "worker/leases/heartbeat.hpp"

#include <algorithm>

#include "base/fault_points.hpp"
#include "store/work/settle.hpp"
#include "store/work/workers.hpp"
#include "worker/batches/lost_lease.hpp"

namespace postrider::working {

void heartbeat::run(worker_context& context, clock::time_point now) {
    if (now < next_) {
        return;
    }
    auto& session = context.session();
    const auto began = clock::now();
    const auto watched = context.watch(session);
    const auto gone = store::heartbeat(session, context.id, context.held.lease_ids());
    context.measure("heartbeat", began);
    sent(began, context.options.heartbeat_timeout);
    // Before leases are lost: their messages are forgotten then.
    if (context.held.in_hand() > 0) {
        for (const auto& id : store::cancelled_jobs(session, context.id)) {
            cancel_job(context, id);
        }
    }
    lose_leases(context, gone);
    extend_leases(context, now);
    give_back_late(context, now);
    // Another worker may have registered a handler with another policy.
    context.threads->environment().immediate.learn(store::immediate_retries(session, context.id));
    for (const auto& name : store::changed_handlers(session, context.id)) {
        context.report(
            level::warning, "handler_changed",
            "another worker has registered handler " + name +
                " with other event types; this one gets no new messages for it. Run one version "
                "of the program, and start this worker again");
    }
}

void heartbeat::sent(clock::time_point at, clock::duration timeout) {
    last_ = at;
    next_ = at + timeout / 3;
    expired_ = false;
}

void heartbeat::lose_leases(worker_context& context, std::span<const std::int64_t> gone) {
    for (const auto id : gone) {
        if (POSTRIDER_SKIPS("worker.in_doubt")) {
            return;
        }
        const auto leases = context.held.leases();
        const auto found = std::ranges::find_if(
            leases, [&](const auto& batch) { return !batch->lost && batch->lease().id == id; });
        // A lease that only waits to be reported may be closed because its report arrived and the
        // answer was lost. The next report finds out.
        if (found != leases.end() && (*found)->unfinished > 0) {
            lose_lease(context, *found);
        }
    }
}

// Messages that wait for a thread, or run within their timeout, keep their lease.
void heartbeat::extend_leases(worker_context& context, clock::time_point now) {
    const auto length = context.lease_length();
    const auto leases = context.held.leases();
    for (const auto& batch : leases) {
        if (batch->lost || batch->overdue ||
            batch->deadline > now + context.options.heartbeat_timeout) {
            continue;
        }
        if (store::extend(context.session(), context.id, batch->lease(), length)) {
            batch->deadline = now + length;
        } else {
            lose_lease(context, batch);
        }
    }
}

// Deliveries cannot be extended. A delivery that no thread could start in time goes to another
// worker, before its deadline makes it a suspect or charges it with a crash.
void heartbeat::give_back_late(worker_context& context, clock::time_point now) {
    const auto dues = context.held.dues();
    for (const auto& batch : dues) {
        if (now >= batch->begin_before.load()) {
            context.give_back(context.threads->withdraw(batch.get()), now);
        }
    }
}

clock::time_point heartbeat::expires_at(const worker_context& context) const {
    return expired_ || context.held.in_hand() == 0 ? clock::time_point::max()
                                                   : last_ + context.options.heartbeat_timeout;
}

void heartbeat::expire(worker_context& context, clock::time_point now) {
    if (now < expires_at(context) || POSTRIDER_SKIPS("worker.in_doubt")) {
        return;
    }
    expired_ = true;
    for (const auto* held : {&context.held.leases(), &context.held.dues()}) {
        for (const auto& batch : std::vector(*held)) {
            abandon(context, batch);
        }
    }
}

}  // namespace postrider::working
