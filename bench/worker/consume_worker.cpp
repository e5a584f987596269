#include "bench/worker/consume_worker.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <postrider/worker.hpp>
#include <thread>

#include "bench/lab/countdown.hpp"
#include "bench/lab/source.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

using instant = std::chrono::steady_clock::time_point;

worker_options options_for(const consume_options& options) {
    worker_options chosen{.consumer = "bench", .batch_max = options.batch};
    chosen.concurrency = options.connections;
    if (options.mode.starts_with("failing")) {
        chosen.sink = std::make_shared<sink>();  // a line for each failure would be measured, too
    }
    return chosen;
}

// A handler that does nothing or, if `failing`, fails once; its circuit stays closed.
void handle(worker& by, countdown& left, const std::string& mode) {
    const bool failing = mode.starts_with("failing");
    handler_options options;
    if (mode == "failing") {
        options.retry.curve = curve::immediate;
    } else if (failing) {
        // The shortest delay there is: without one the worker repeats the run within its lease.
        options.retry = {.curve = curve::fixed,
                         .base = std::chrono::milliseconds(1),
                         .floor = std::chrono::milliseconds(0)};
    }
    if (failing) {
        options.circuit.failures = 0;
    }
    by.on(
        "*", "bench.all",
        [&left, failing](const event&, context& run) {
            if (failing && run.attempts() == 1) {
                return transient("the printer does not answer", "timeout");
            }
            left.step();
            return delivered();
        },
        options);
}

void drain_by_worker(const consume_options& options, const conversation& speak) {
    countdown left(options.count);
    worker draining(options_for(options));
    handle(draining, left, options.mode);
    speak.ready();
    const stopwatch watch;
    draining.start();
    left.wait();
    draining.request_stop();
    draining.wait();
    speak.say(fmt::format("done {}", watch.elapsed()));
    speak.leave();
    ::pause();
}

void due_by_worker(const consume_options& options, const conversation& speak) {
    countdown left(options.count);
    worker waiting(options_for(options));
    handle(waiting, left, options.mode);
    waiting.start();
    speak.ready();
    left.wait();
    speak.say(fmt::format("done {:.6f}", seconds_since_1970()));
    waiting.request_stop();
    waiting.wait();
    speak.leave();
    ::pause();
}

void arrivals_by_worker(const consume_options& options, const conversation& speak) {
    countdown left(options.count);
    std::mutex mutex;
    std::vector<std::pair<std::int64_t, instant>> seen;
    worker listening(options_for(options));
    listening.on("*", "bench.all", [&](const event& e) {
        const auto now = std::chrono::steady_clock::now();
        {
            const std::lock_guard lock(mutex);
            seen.emplace_back(number_in(e.payload()), now);
        }
        left.step();
    });
    listening.start();
    speak.ready();
    left.wait();
    report_arrivals(seen);
    listening.request_stop();
    listening.wait();
    speak.leave();
    ::pause();
}

void stream_by_worker(const consume_options& options, const conversation& speak) {
    std::atomic<std::int64_t> taken = 0;
    worker running(options_for(options));
    running.on("*", "bench.all", [&](const event&) { ++taken; });
    speak.ready();
    speak.leave();
    running.start();
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        speak.say(fmt::format("consumed {}", taken.load()));
    }
}

}  // namespace

void consume_by_worker(const consume_options& options, const conversation& speak) {
    if (options.mode == "drain" || options.mode == "priority" ||
        options.mode.starts_with("failing")) {
        drain_by_worker(options, speak);
    } else if (options.mode == "due") {
        due_by_worker(options, speak);
    } else if (options.mode == "arrivals") {
        arrivals_by_worker(options, speak);
    } else {
        stream_by_worker(options, speak);
    }
}

}  // namespace postrider::bench
