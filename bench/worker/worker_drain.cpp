// worker_drain: a worker with an empty handler drains a backlog, in turn with bare exchange() calls
// in the same batches. Both are measured from the first connection to the last report.
#include <fmt/core.h>

#include <postrider/error.hpp>
#include <postrider/worker.hpp>

#include "bench/lab/countdown.hpp"
#include "bench/lab/workload.hpp"
#include "bench/worker/worker.hpp"

namespace postrider::bench {
namespace {

double raw_rate(const fresh_database& database, std::int64_t rows) {
    const stopwatch watch;
    bench_worker worker(database.connect_consumer());
    std::int64_t taken = 0;
    while (const int got = worker.exchange(large_batch).size()) {
        taken += got;
    }
    if (taken != rows) {
        throw error(errc::database_error, fmt::format("{} of {} messages drained", taken, rows));
    }
    return static_cast<double>(rows) / watch.elapsed();
}

double worker_rate(const fresh_database& database, std::int64_t rows) {
    countdown left(rows);
    worker draining({.database = database.conninfo(),
                     .consumer = "bench",
                     .concurrency = 2,
                     .batch_max = large_batch});
    draining.on("*", "bench.all", [&](const event&) { left.step(); });
    const stopwatch watch;
    draining.start();
    left.wait();
    draining.request_stop();
    draining.wait();
    return static_cast<double>(rows) / watch.elapsed();
}

}  // namespace

void worker_drain(const lab& where, report& results) {
    const auto rows = where.size<std::int64_t>(200'000, 100'000);
    std::vector<double> raw;
    std::vector<double> worked;
    std::vector<double> ratio;
    for (int round = 0; round < where.rounds(); ++round) {
        for (int side = 0; side < 2; ++side) {
            const fresh_database database(where);
            { const bench_worker first(database.connect()); }
            fill(database, {"postrider.message"}, rows);
            database.settle_down();
            const bool by_worker = (round + side) % 2 == 0;
            progress shown(fmt::format("drain by {}, round {}",
                                       by_worker ? "a worker" : "bare calls", round + 1),
                           1);
            (by_worker ? worked : raw)
                .push_back(by_worker ? worker_rate(database, rows) : raw_rate(database, rows));
        }
        ratio.push_back(worked.back() / raw.back());
    }
    results.add("worker_over_engine", median(ratio));
    results.add("worker_messages_per_s", median(worked));
    results.add("engine_messages_per_s", median(raw));
}

}  // namespace postrider::bench
