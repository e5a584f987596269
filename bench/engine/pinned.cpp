// pinned: publishing and consuming while another session holds an old transaction open, so that
// vacuum can remove nothing. Compares the speed at the end with that at the start.
#include <fmt/core.h>

#include <array>
#include <future>
#include <thread>

#include "bench/engine/engine.hpp"
#include "bench/lab/workload.hpp"
#include "store/messages/copy_messages.hpp"

namespace postrider::bench {
namespace {

constexpr std::int64_t lag_max = 100'000;

// Shared by publisher and consumer; each waits for the other's count instead of polling.
struct counters {
    std::atomic<std::int64_t> published = 0;
    std::atomic<std::int64_t> consumed = 0;
    std::atomic<bool> stop = false;

    // A waiter wakes up only when the count has changed.
    void end() {
        stop = true;
        published += large_batch;
        consumed += large_batch;
        published.notify_all();
        consumed.notify_all();
    }
};

// The side that ends first, also by a failure, ends the other.
struct finally {
    counters& shared;
    ~finally() { shared.end(); }
};

void publish_until_stopped(pg::connection session, counters& shared) {
    while (!shared.stop) {
        const auto published = shared.published.load();
        const auto consumed = shared.consumed.load();
        if (published - consumed >= lag_max) {
            shared.consumed.wait(consumed);
            continue;
        }
        store::copy_messages(session, message_batch(published, large_batch).messages());
        shared.published += large_batch;
        shared.published.notify_all();
    }
}

void consume_until_stopped(bench_worker& worker, counters& shared) {
    while (!shared.stop) {
        const auto published = shared.published.load();
        if (shared.consumed == published) {
            shared.published.wait(published);
            continue;
        }
        shared.consumed += worker.exchange(large_batch).size();
        shared.consumed.notify_all();
    }
}

struct plan {
    seconds warm_up;
    seconds window;
    seconds total;
};

}  // namespace

void pinned(const lab& where, report& results) {
    const auto timing = where.size<plan>({seconds(5), seconds(10), seconds(120)},
                                         {seconds(1), seconds(1.5), seconds(12)});
    const fresh_database database(where);
    bench_worker worker(database.connect_consumer());
    auto pin = database.connect();
    pin.exec("begin isolation level repeatable read");
    pin.exec("select pg_current_xact_id()");

    counters shared;
    // Number of consumed messages at the beginning and the end of the first and of the last window.
    std::array<std::int64_t, 4> marks{};
    {
        progress shown(fmt::format("pinned for {:.0f} s", timing.total.count()),
                       static_cast<std::int64_t>(timing.total.count()));
        const auto begin = std::chrono::steady_clock::now();
        auto publisher = std::async(std::launch::async, [&] {
            const finally end{shared};
            publish_until_stopped(database.connect(), shared);
        });
        auto consumer = std::async(std::launch::async, [&] {
            const finally end{shared};
            consume_until_stopped(worker, shared);
        });
        const std::array<seconds, 4> at{timing.warm_up, timing.warm_up + timing.window,
                                        timing.total - timing.window, timing.total};
        for (std::size_t i = 0; i < at.size(); ++i) {
            std::this_thread::sleep_until(
                begin + std::chrono::duration_cast<std::chrono::nanoseconds>(at[i]));
            marks[i] = shared.consumed;
            shown.advance(
                static_cast<std::int64_t>((at[i] - (i > 0 ? at[i - 1] : seconds(0))).count()));
        }
        shared.end();
        publisher.get();
        consumer.get();
    }
    const auto first = static_cast<double>(marks[1] - marks[0]);
    const auto last = static_cast<double>(marks[3] - marks[2]);
    results.add("pinned_last_over_first", last / first);
    results.add("pinned_first_per_s", first / timing.window.count());
    results.add("pinned_last_per_s", last / timing.window.count());
    results.add("pinned_consumed", static_cast<double>(marks[3]));
}

}  // namespace postrider::bench
