#include "worker/worker_context.hpp"

#include <algorithm>

namespace postrider::working {
namespace {

constexpr auto longest_maintenance_interval = std::chrono::seconds(30);

std::string channel_of(const worker_options& options) {
    if (!options.channel.empty()) {
        return options.channel;
    }
    if (options.source) {
        return "broker";
    }
    return options.generation ? "outbox_gen_" + std::to_string(*options.generation)
                              : "outbox_default";
}

}  // namespace

worker_context::worker_context(worker_options settings, std::shared_ptr<thread_pool> pool)
    : options(std::move(settings)),
      threads(std::move(pool)),
      reports(threads->environment().reports),
      channel(channel_of(options)),
      speed({options.concurrency, options.in_flight_max,
             threads->environment().handlers.largest_batch()}) {
    threads->slice_size(speed.slice_size());
}

pg::watchdog::guard worker_context::watch(const pg::connection& calls_on) {
    return watch(calls_on, options.call_timeout);
}

pg::watchdog::guard worker_context::watch(const pg::connection& calls_on,
                                          std::chrono::milliseconds timeout) {
    return {threads->environment().watchdog, calls_on, timeout, pg::watchdog::urgency::usual,
            &call_timed_out};
}

void worker_context::report(level how, std::string_view state, std::string_view message) const {
    if (!reports) {
        return;
    }
    try {
        reports->state_changed(
            {std::chrono::system_clock::now(), how, options.consumer, state, message});
    } catch (...) {
        // A failing sink must not stop the worker.
    }
}

void worker_context::measure(std::string_view operation, clock::time_point began) const {
    if (!reports || !figures) {
        return;
    }
    auto record = figures();
    record.operation = operation;
    record.operation_time = clock::now() - began;
    send(record);
}

void worker_context::send(const worker_figures& record) const {
    if (!reports) {
        return;
    }
    try {
        reports->figures(record);
    } catch (...) {
        // A failing sink must not stop the worker.
    }
}

std::chrono::milliseconds worker_context::lease_length() const {
    return threads->environment().handlers.longest_timeout() + options.heartbeat_timeout;
}

bool worker_context::is_ordered() const {
    return options.ordering && options.ordering->text() != ordering_policy::none().text();
}

bool worker_context::keeps_order() const {
    return is_ordered() && std::ranges::none_of(threads->environment().handlers.all(),
                                                [](const handler& one) { return bool(one.batch); });
}

clock::duration worker_context::maintenance_interval() const {
    return std::min<clock::duration>(options.heartbeat_timeout / 3, longest_maintenance_interval);
}

void worker_context::give_back(const std::vector<slice>& unstarted, clock::time_point now) {
    for (const auto& one : unstarted) {
        held.give_back(one, now);
    }
}

}  // namespace postrider::working
