// drain: how fast a backlog is drained, ours and the classic queue in turn, each with its usual
// settings. Our sessions commit asynchronously (synchronous_commit = off), because a lease that is
// lost in a crash does no harm; the classic queue has PostgreSQL's default. Also measured: the
// classic queue with asynchronous commits, and ours on a server without the library for native
// claims.
#include <fmt/core.h>

#include <atomic>
#include <functional>
#include <future>
#include <postrider/error.hpp>
#include <string_view>
#include <vector>

#include "bench/engine/classic_queue.hpp"
#include "bench/engine/engine.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

struct drain_case {
    const char* key;
    int batch;
    int connections;
    std::int64_t rows;
    std::int64_t rows_quick;
};

void drain_all(bench_worker& worker, int limit, const std::function<void(int)>& taken) {
    worker.drain(limit, taken);
}

void drain_all(classic_worker& worker, int limit, const std::function<void(int)>& taken) {
    while (const int got = worker.exchange(limit)) {
        taken(got);
    }
}

int exchange(bench_worker& worker, int limit) { return worker.exchange(limit).size(); }
int exchange(classic_worker& worker, int limit) { return worker.exchange(limit); }

// Warm-up: a connection makes its plans and compiles functions before the clock runs.
template <typename Worker>
int warm_up_worker(Worker& worker, int limit) {
    int taken = 0;
    for (const int some : {limit, limit, limit, 0}) {
        taken += exchange(worker, some);
    }
    return taken;
}

// Messages per second until no message is left.
template <typename Worker>
double drain_rate(const fresh_database& database, const drain_case& shape, std::int64_t rows,
                  progress& shown, bool durable) {
    std::vector<Worker> workers;
    workers.reserve(static_cast<std::size_t>(shape.connections));
    for (int i = 0; i < shape.connections; ++i) {
        workers.emplace_back(durable ? database.connect() : database.connect_consumer());
    }
    std::atomic<std::int64_t> taken = 0;
    for (auto& worker : workers) {
        taken += warm_up_worker(worker, shape.batch);
    }
    shown.advance(taken);
    const auto timed = rows - taken;
    const stopwatch watch;
    std::vector<std::future<void>> running;
    running.reserve(workers.size());
    for (auto& worker : workers) {
        running.push_back(std::async(std::launch::async, [&] {
            drain_all(worker, shape.batch, [&](int got) {
                taken += got;
                shown.advance(got);
            });
        }));
    }
    for (auto& one : running) {
        one.get();
    }
    const auto took = watch.elapsed();
    if (taken != rows) {
        throw error(errc::database_error, fmt::format("{}: {} messages were drained instead of {}",
                                                      shape.key, taken.load(), rows));
    }
    return static_cast<double>(timed) / took;
}

// By itself, for comparison.
template <typename Worker>
double rate_alone(const lab& where, const drain_case& shape, const char* table,
                  const char* shown_as, const char* prepare) {
    const auto rows = where.size(shape.rows, shape.rows_quick);
    const fresh_database database(where);
    make_classic_table(database);
    database.connect().exec(prepare);
    const bench_worker first(database.connect());
    fill(database, {table}, rows);
    database.settle_down();
    progress shown(fmt::format("drain, batches of {}, {}", shape.batch, shown_as), rows);
    return drain_rate<Worker>(database, shape, rows, shown, false);
}

void run_case(const lab& where, report& results, const drain_case& shape) {
    const auto rows = where.size(shape.rows, shape.rows_quick);
    std::vector<double> ours;
    std::vector<double> classic;
    std::vector<double> ratio;
    for (int round = 0; round < where.rounds(); ++round) {
        const fresh_database database(where);
        make_classic_table(database);
        const bench_worker first(database.connect());  // the consumer exists before its messages
        fill(database, {"postrider.message", classic_table}, rows);
        progress shown(fmt::format("drain, batches of {}, round {}", shape.batch, round + 1),
                       2 * rows);
        for (int side = 0; side < 2; ++side) {
            database.settle_down();  // dead rows of one side must not slow down the other
            if ((round + side) % 2 == 0) {
                classic.push_back(drain_rate<classic_worker>(database, shape, rows, shown, true));
            } else {
                ours.push_back(drain_rate<bench_worker>(database, shape, rows, shown, false));
            }
        }
        ratio.push_back(ours.back() / classic.back());
    }
    // Targets belong to native claims; without the library this is the comparison in SQL.
    const std::string_view in = where.claims_natively() ? "" : "in_sql_";
    results.add(fmt::format("drain_ratio_{}{}", in, shape.key), median(ratio));
    results.add(fmt::format("drain_{}per_second_{}", in, shape.key), median(ours));
    results.add(fmt::format("drain_classic_per_s_{}", shape.key), median(classic));
    if (where.quick()) {
        return;  // the rest is not part of --quick
    }
    const auto hasty =
        rate_alone<classic_worker>(where, shape, classic_table, "classic without disk", "");
    results.add(fmt::format("drain_classic_without_disk_per_s_{}", shape.key), hasty);
    results.add(fmt::format("drain_ratio_without_disk_{}", shape.key), median(ours) / hasty);
    if (!where.claims_natively()) {
        return;
    }
    const auto in_sql =
        rate_alone<bench_worker>(where, shape, "postrider.message", "in SQL",
                                 "drop extension if exists postrider_native;"
                                 " drop function if exists postrider.exchange_native");
    results.add(fmt::format("drain_in_sql_per_s_{}", shape.key), in_sql);
    results.add(fmt::format("drain_ratio_in_sql_{}", shape.key), in_sql / median(classic));
}

}  // namespace

void drain(const lab& where, report& results) {
    run_case(where, results, {"1000", 1000, 1, 200'000, 100'000});
    run_case(where, results, {"100", 100, 1, 200'000, 50'000});
    run_case(where, results, {"10", 10, 8, 200'000, 50'000});
}

}  // namespace postrider::bench
