// drain: how fast a backlog is worked off, ours and the classic queue in turn. Neither side waits
// for the disk (synchronous_commit = off): a claim that a crash forgets is one that never happened.
#include <fmt/core.h>

#include <atomic>
#include <concepts>
#include <postrider/error.hpp>
#include <thread>
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
                  progress& shown) {
    std::vector<Worker> workers;
    for (int i = 0; i < what.connections; ++i) {
        workers.emplace_back(database.connect_consumer());
    }
    std::atomic<std::int64_t> taken = 0;
    const stopwatch watch;
    {
        std::vector<std::jthread> threads;
        for (auto& worker : workers) {
            threads.emplace_back([&] {
                while (const int got = take(worker, what.batch)) {
                    taken += got;
                    shown.advance(got);
                }
            });
        }
    }
    const auto took = watch.elapsed();
    if (taken != rows) {
        throw error(errc::database_error, fmt::format("{}: {} messages were drained instead of {}",
                                                      what.key, taken.load(), rows));
    }
    return static_cast<double>(rows) / took;
}

void run_case(const lab& where, report& results, const drain_case& what) {
    const auto rows = where.size(what.rows, what.rows_quick);
    std::vector<double> ours;
    std::vector<double> classic;
    std::vector<double> ratio;
    for (int round = 0; round < where.rounds(); ++round) {
        const fresh_database database(where);
        make_classic_table(database);
        bench_worker(database.connect());  // the consumer exists before its messages
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
}

}  // namespace

void drain(const lab& where, report& results) {
    run_case(where, results, {"1000", 1000, 1, 200'000, 50'000});
    run_case(where, results, {"100", 100, 1, 200'000, 30'000});
    run_case(where, results, {"10", 10, 8, 200'000, 10'000});
}

}  // namespace postrider::bench
