#include "worker/services/schedules.hpp"

#include <algorithm>
#include <postrider/error.hpp>
#include <utility>

#include "client/publish/schedule_definition.hpp"

namespace postrider::working {
namespace {

// Slots per call: a larger number would delay claims.
constexpr int batch = 200;
// A schedule that was changed without a NOTIFY that arrived here is seen after this time.
constexpr auto schedule_look_interval = std::chrono::seconds(30);
constexpr auto shortest_lag = std::chrono::milliseconds(250);
constexpr auto longest_lag = std::chrono::seconds(4);
constexpr auto lock_not_available = "55P03";

void define(const worker_context& context, pg::connection& session, const schedule& one) {
    const auto change = store::define_schedule(
        session, one.name, client::schedule_definition(one),
        {"worker of " + context.options.consumer, "declared when the worker started"},
        context.options.consumer);
    if (change == store::schedule_change::changed) {
        context.report(level::warning, "schedule_changed",
                       "schedule " + one.name +
                           " had another definition, which this worker has replaced. If "
                           "workers declare different ones, the last to start decides");
    }
}

}  // namespace

void schedules::run(worker_context& context, clock::time_point now) {
    if (context.stopping || now < next_) {
        return;
    }
    const bool woken = std::exchange(expects_slot_, false);
    next_ = now + schedule_look_interval;
    auto& session = context.session();
    const auto watched = context.watch(session);
    declare(context, session);
    const auto began = clock::now();
    const auto result = store::fire_due(session, batch);
    if (result.fired > 0) {
        context.measure("fire_due", began);
        context.schedule.look();  // this worker may be the one to handle the message
    }
    fired(result, woken, clock::now());
}

void schedules::fired(const store::firing& result, bool woken, clock::time_point now) {
    next_ = now + schedule_look_interval;
    if (result.schedules > 0) {
        lag_ = {};
    } else if (woken) {
        lag_ = std::clamp<clock::duration>(lag_ * 2, shortest_lag, longest_lag);
    }
    if (result.again_in && now + *result.again_in + lag_ < next_) {
        next_ = now + *result.again_in + lag_;
        expects_slot_ = true;
    }
}

void schedules::declare(const worker_context& context, pg::connection& session) {
    if (declared_) {
        return;
    }
    try {
        for (const auto& one : context.options.schedules) {
            define(context, session, one);
        }
        declared_ = true;
    } catch (const error& problem) {
        // Any producer can hold a name that it has not committed: messages must not wait for that.
        if (problem.sqlstate() != lock_not_available) {
            throw;
        }
        context.report(level::warning, "schedule_waits", problem.what());
    }
}

}  // namespace postrider::working
