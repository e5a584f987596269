// drain: how fast a backlog is worked off, ours and the classic queue in turn. Neither side waits
// for the disk (synchronous_commit = off): a claim that a crash forgets is one that never happened.
#include <fmt/core.h>

#include <atomic>
#include <concepts>
#include <future>
#include <postrider/error.hpp>
#include <vector>

#include "bench/classic_queue.hpp"
#include "bench/engine.hpp"
#include "bench/workload.hpp"

namespace postrider::bench {
namespace {

struct drain_case {
    const char* key;
    int batch;
    int connections;
    std::int64_t rows;
    std::int64_t rows_quick;
};

template <typename Worker>
int take(Worker& worker, int limit) {
    if constexpr (std::same_as<Worker, bench_worker>) {
        return worker.exchange(limit).size();
    } else {
        return worker.exchange(limit);
    }
}

// Messages per second until nothing is left.
template <typename Worker>
double drain_rate(const fresh_database& database, const drain_case& what, std::int64_t rows,
                  progress& shown, bool durable = false) {
    std::vector<Worker> workers;
    workers.reserve(static_cast<std::size_t>(what.connections));
    for (int i = 0; i < what.connections; ++i) {
        workers.emplace_back(durable ? database.connect() : database.connect_consumer());
    }
    std::atomic<std::int64_t> taken = 0;
    const stopwatch watch;
    std::vector<std::future<void>> running;
    running.reserve(workers.size());
    for (auto& worker : workers) {
        running.push_back(std::async(std::launch::async, [&] {
            while (const int got = take(worker, what.batch)) {
                taken += got;
                shown.advance(got);
            }
        }));
    }
    for (auto& one : running) {
        one.get();
    }
    const auto took = watch.elapsed();
    if (taken != rows) {
        throw error(errc::database_error, fmt::format("{}: {} messages were drained instead of {}",
                                                      what.key, taken.load(), rows));
    }
    return static_cast<double>(rows) / took;
}

// The classic queue as most people run it, each of its commits waiting for the disk. For
// information: the ratios compare with the quicker one.
double durable_classic_rate(const lab& where, const drain_case& what) {
    const auto rows = what.rows_quick;
    const fresh_database database(where);
    make_classic_table(database);
    fill(database, {classic_table}, rows);
    database.settle_down();
    progress shown(fmt::format("drain, batches of {}, durable classic", what.batch), rows);
    return drain_rate<classic_worker>(database, what, rows, shown, true);
}

void run_case(const lab& where, report& results, const drain_case& what) {
    const auto rows = where.size(what.rows, what.rows_quick);
    std::vector<double> ours;
    std::vector<double> classic;
    std::vector<double> ratio;
    for (int round = 0; round < where.rounds(); ++round) {
        const fresh_database database(where);
        make_classic_table(database);
        const bench_worker first(database.connect());  // the consumer exists before its messages
        fill(database, {"postrider.message", classic_table}, rows);
        database.settle_down();
        progress shown(fmt::format("drain, batches of {}, round {}", what.batch, round + 1),
                       2 * rows);
        for (int side = 0; side < 2; ++side) {
            if ((round + side) % 2 == 0) {
                classic.push_back(drain_rate<classic_worker>(database, what, rows, shown));
            } else {
                ours.push_back(drain_rate<bench_worker>(database, what, rows, shown));
            }
        }
        ratio.push_back(ours.back() / classic.back());
    }
    results.add(fmt::format("drain_ratio_{}", what.key), median(ratio));
    results.add(fmt::format("drain_per_second_{}", what.key), median(ours));
    results.add(fmt::format("drain_classic_per_second_{}", what.key), median(classic));
    if (!where.quick()) {
        results.add(fmt::format("drain_durable_classic_per_second_{}", what.key),
                    durable_classic_rate(where, what));
    }
}

}  // namespace

void drain(const lab& where, report& results) {
    run_case(where, results, {"1000", 1000, 1, 200'000, 50'000});
    run_case(where, results, {"100", 100, 1, 200'000, 30'000});
    run_case(where, results, {"10", 10, 8, 200'000, 10'000});
}

}  // namespace postrider::bench
