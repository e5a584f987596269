#include "worker/doorbell/listening.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/fault_points.hpp"

namespace postrider::working {
namespace {

using std::chrono::milliseconds;

// Parts of the server's notification queue, which has 8 GiB.
constexpr double queue_warning = 0.01;
constexpr double queue_error = 0.25;

// A listener that does not answer must not delay the next heartbeat.
milliseconds listener_timeout(const worker_options& options) {
    return std::min(options.call_timeout,
                    std::max(options.heartbeat_timeout / 3, milliseconds(500)));
}

}  // namespace

listening::listening(const worker_context& context)
    : listener_({context.options.database, context.channel, listener_timeout(context.options)},
                context.threads->environment().watchdog),
      doorbell_({context.options.database, context.channel, context.options.call_timeout},
                context.threads->environment().watchdog,
                [pool = context.threads] { pool->wake().set(); }) {}

clock::time_point listening::next_at(const worker_context& context) const {
    if (context.stopping) {
        return clock::time_point::max();
    }
    if (!listener_.is_open()) {
        return trouble_.until();
    }
    return arrives_ ? std::min(next_check_, doorbell_.next_at()) : next_check_;
}

void listening::run(worker_context& context, clock::time_point now) {
    if (!listener_.is_open() && !context.stopping && trouble_.over(now)) {
        connect(context);
    }
    // A worker that receives no notifications never becomes the keeper: behind a pooler in
    // transaction mode its locks would stay on a connection that belongs to no client.
    if (receives() && !context.stopping) {
        try {
            doorbell_.run(context, listener_, now);
        } catch (const std::exception& problem) {
            lose(context, problem);
        }
    }
    if (std::exchange(was_announced_, announced()) && !was_announced_) {
        context.schedule.sweep_by(now + context.options.poll);
    }
}

void listening::connect(worker_context& context) {
    try {
        listener_.open();
        const auto watched = context.watch(context.session());
        arrives_ = listener_.probe(context.session());
    } catch (const std::exception& problem) {
        lose(context, problem);
        return;
    }
    if (!POSTRIDER_SKIPS("worker.look_after_listening")) {
        context.schedule.look();  // a NOTIFY sent before LISTEN did not arrive here
    }
    if (trouble_.worked()) {
        context.report(level::info, "listening", "notifications arrive again");
    }
    if (!arrives_) {
        context.report(
            level::warning, "notify_unavailable",
            "notifications do not arrive, probably because of a pooler in transaction mode; "
            "polling every " +
                std::to_string(context.options.poll.count()) +
                " ms instead. Connect the worker directly to the server");
        context.schedule.sweep_at(clock::now() + context.options.poll);
    }
}

void listening::lose(worker_context& context, const std::exception& problem) {
    listener_.close();
    context.schedule.sweep_by(clock::now() + context.options.poll);
    if (trouble_.failed(problem.what(), clock::now())) {
        context.report(level::warning, "listener_lost", problem.what());
    }
}

void listening::check_queue(worker_context& context, clock::time_point now) {
    if (context.stopping || !listener_.is_open() || now < next_check_) {
        return;
    }
    next_check_ = now + context.maintenance_interval();
    try {
        queue_filled(context, listener_.check());
    } catch (const std::exception& problem) {
        lose(context, problem);
    }
}

// Only a session that listens inside a transaction makes the queue grow.
void listening::queue_filled(const worker_context& context, double usage) {
    if (context.figures) {
        auto record = context.figures();
        record.notification_queue = usage;
        context.send(record);
    }
    const auto now = usage >= queue_error     ? level::error
                     : usage >= queue_warning ? level::warning
                                              : level::info;
    if (std::exchange(queue_level_, now) == now) {
        return;
    }
    if (now == level::info) {
        context.report(now, "notification_queue_drained",
                       "the server's notification queue is empty again");
    } else {
        context.report(
            now, "notification_queue_filling",
            "the server's notification queue is " + std::to_string(std::lround(usage * 100)) +
                " % full: a session listens inside a long transaction; publishing fails when the "
                "queue is full");
    }
}

listener::notice listening::take(worker_context& context) {
    if (!listener_.is_open()) {
        return {};
    }
    try {
        const auto found = listener_.take_notifications();
        if (found.worker_left) {
            doorbell_.look();
        }
        return found;
    } catch (const std::exception& problem) {
        lose(context, problem);
        return {};
    }
}

bool listening::arrives_from(pg::connection& other) {
    listener_.open();
    const bool arrived = listener_.probe(other);
    listener_.close();
    return arrived;
}

void listening::stop() noexcept {
    doorbell_.stop();
    listener_.close();
}

}  // namespace postrider::working
