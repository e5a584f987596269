// Publishing and consuming while another session holds an old transaction open, so that vacuum can
// remove nothing.
#include <fmt/core.h>

#include <atomic>
#include <future>

#include "bench/lab/progress.hpp"
#include "bench/lab/workload.hpp"
#include "bench/peers/peers.hpp"

namespace postrider::bench {
namespace {

constexpr std::int64_t peer_lag_max = 100'000;

// The number of consumed messages at a time.
struct reading {
    double at;
    double consumed;
};

// Interpolates linearly between two readings.
double consumed_at(const std::vector<reading>& readings, double at) {
    for (std::size_t i = 1; i < readings.size(); ++i) {
        const auto& before = readings[i - 1];
        const auto& after = readings[i];
        if (after.at >= at) {
            return before.consumed + (after.consumed - before.consumed) * (at - before.at) /
                                         std::max(after.at - before.at, 1e-9);
        }
    }
    return readings.back().consumed;
}

std::vector<reading> publish_and_consume(const fresh_database& database, const peer& system,
                                         double length, progress& shown) {
    child consumer(system.consumer("stream", system.best(), 0), consumer_environment(database));
    consumer.expect("ready");
    consumer.say("go");
    std::atomic<std::int64_t> consumed = 0;
    std::atomic<bool> stop = false;
    auto publisher = std::async(std::launch::async, [&] {
        auto session = database.connect();
        std::int64_t published = 0;
        while (!stop) {
            if (const auto seen = consumed.load(); published - seen >= peer_lag_max) {
                consumed.wait(seen);
                continue;
            }
            system.publish_many(session, published, large_batch);
            system.after_publishing(session);
            published += large_batch;
        }
    });
    // A waiting publisher wakes up only when the count has changed.
    const auto stop_publishing = [&] {
        stop = true;
        consumed -= 1;
        consumed.notify_all();
    };
    std::vector<reading> readings{{0, 0}};
    try {
        const stopwatch watch;
        for (double shown_at = 0; watch.elapsed() < length;) {
            const auto so_far = std::stoll(consumer.expect("consumed"));
            readings.push_back({watch.elapsed(), static_cast<double>(so_far)});
            consumed = so_far;
            consumed.notify_all();
            if (watch.elapsed() >= shown_at + 1) {
                shown.advance(1);
                shown_at += 1;
            }
        }
    } catch (const std::exception&) {
        stop_publishing();
        throw;
    }
    stop_publishing();
    publisher.get();
    return readings;
}

}  // namespace

void measure_pinned(const lab& where, const peer& system, samples& into) {
    const auto sizes = sizes_for(where);
    const fresh_database database(where);
    system.install(database);
    auto pin = database.connect();
    pin.exec("begin isolation level repeatable read");
    pin.exec("select pg_current_xact_id()");
    progress shown(fmt::format("  pinned: {}", system.name()),
                   static_cast<std::int64_t>(sizes.pinned_seconds));
    const auto readings = publish_and_consume(database, system, sizes.pinned_seconds, shown);
    const auto per_second = [&](double from) {
        return (consumed_at(readings, from + sizes.pinned_window) - consumed_at(readings, from)) /
               sizes.pinned_window;
    };
    into["pinned_first"].push_back(per_second(sizes.pinned_warm_up));
    into["pinned_last"].push_back(per_second(sizes.pinned_seconds - sizes.pinned_window));
}

}  // namespace postrider::bench
