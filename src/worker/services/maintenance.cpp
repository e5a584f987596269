#include "worker/services/maintenance.hpp"

#include <algorithm>
#include <utility>

#include "store/work/maintain.hpp"
#include "store/work/settle.hpp"

namespace postrider::working {
namespace {

// Of a worker that found messages when it started: they come first.
constexpr auto first_maintenance = std::chrono::seconds(1);
// Leases, and deliveries, taken back per step: a larger step would delay claims.
constexpr int reap_batch = 100;
// While there are more, reaping pauses for this multiple of its last step, so that claims go on.
constexpr int reap_pause = 4;
constexpr auto shortest_reap_pause = std::chrono::milliseconds(100);
constexpr auto partitions_interval = std::chrono::minutes(1);
// Rows of each table per step of retention: a larger step would delay claims.
constexpr int retention_batch = 1000;
// While rows are left, retention pauses for this multiple of its last step.
constexpr int retention_pause = 5;
constexpr auto shortest_retention_pause = std::chrono::milliseconds(100);

}  // namespace

void maintenance::run(worker_context& context, clock::time_point now) {
    if (context.stopping || now < next_) {
        return;
    }
    if (std::exchange(starts_, false) && context.held.in_hand() > 0) {
        next_ = now + first_maintenance;
        return;
    }
    next_ = now + context.maintenance_interval();
    if (reap(context)) {
        const auto ended = clock::now();
        next_ = ended + std::max<clock::duration>((ended - now) * reap_pause, shortest_reap_pause);
    }
    maintain(context, now);
}

bool maintenance::reap(worker_context& context) {
    const auto watched = context.watch(context.session());
    const auto taken_back = store::reap(context.session(), reap_batch);
    context.due_changed = context.due_changed || taken_back.leases + taken_back.deliveries > 0;
    context.dead_letters = context.dead_letters || taken_back.deliveries > 0;
    return taken_back.leases + taken_back.deliveries > 0;
}

void maintenance::maintain(worker_context& context, clock::time_point now) {
    if (now < next_partitions_) {
        return;
    }
    next_partitions_ = now + partitions_interval;
    // Partitions take longer than other calls, and must leave time for the next heartbeat.
    const auto& options = context.options;
    const auto watched = context.watch(
        context.session(), std::max(options.call_timeout, options.heartbeat_timeout / 2));
    // It may have moved items of a replay, without a NOTIFY for workers that are awake.
    context.due_changed = !store::maintain(context.session()).empty() || context.due_changed;
    next_retention_ = now;
}

void maintenance::retain(worker_context& context, clock::time_point now) {
    if (context.stopping || now < next_retention_) {
        return;
    }
    next_retention_ = clock::time_point::max();  // after an error: with the next maintenance
    const auto watched = context.watch(context.session());
    const auto began = clock::now();
    const bool more = store::retention_run(context.session(), retention_batch);
    context.measure("retention_run", began);
    retained(more, began, clock::now());
}

void maintenance::retained(bool more, clock::time_point began, clock::time_point ended) {
    next_retention_ = more ? ended + std::max<clock::duration>((ended - began) * retention_pause,
                                                               shortest_retention_pause)
                           : clock::time_point::max();
}

}  // namespace postrider::working
