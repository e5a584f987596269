// limited: four workers drain a backlog, in turn without a limit and with a limit of 100 runs that
// they never reach; then a backlog with a limit that they reach, where every run is counted.
// Measured from the first connection to the last report.
#include <fmt/core.h>

#include <atomic>
#include <memory>
#include <postrider/worker.hpp>
#include <string>
#include <thread>

#include "bench/jobs/jobs.hpp"
#include "bench/lab/countdown.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

constexpr int limited_workers = 4;
constexpr int binding_limit = 3;

/// The handler is known before the workers start, so that it can have a limit.
void set_bench_limit(const fresh_database& database, int runs) {
    auto session = database.connect();
    const std::string id = "'00000000-0000-4000-8000-000000000001'";
    session.exec("select postrider.register_worker(" + id +
                 ", 'bench', '[{\"name\": \"bench.all\", \"event_types\": [\"*\"]}]')");
    session.exec("select postrider.unregister_worker(" + id + ")");
    if (runs > 0) {
        session.exec(
            fmt::format("select postrider.set_limit('bench', 'bench.all',"
                        " '{{\"concurrency\": {}}}')",
                        runs));
    }
}

void publish_backlog(const fresh_database& database, int rows) {
    database.connect().exec(
        fmt::format("insert into postrider.message (event_type, source, payload)"
                    " select 'order.placed', 'bench', to_json(n) from generate_series(1, {}) n",
                    rows));
    database.settle_down();
}

template <typename Handler>
double drain_with_four(const fresh_database& database, int rows, const Handler& handle) {
    countdown left(rows);
    std::vector<std::unique_ptr<worker>> all;
    const stopwatch watch;
    for (int n = 0; n < limited_workers; ++n) {
        all.push_back(std::make_unique<worker>(worker_options{.database = database.conninfo(),
                                                              .consumer = "bench",
                                                              .concurrency = 2,
                                                              .batch_max = 1000}));
        all.back()->on("*", "bench.all", [&](const event&) {
            handle();
            left.step();
        });
        all.back()->start();
    }
    left.wait();
    for (auto& each : all) {
        each->request_stop();
    }
    for (auto& each : all) {
        each->wait();
    }
    return static_cast<double>(rows) / watch.elapsed();
}

/// Runs that began while as many as the limit allows were under way.
int count_double_slots(const lab& where) {
    const int rows = where.tiny() ? 100 : 2000;
    const fresh_database database(where);
    set_bench_limit(database, binding_limit);
    publish_backlog(database, rows);
    std::atomic<int> running = 0;
    std::atomic<int> doubles = 0;
    const progress shown("runs of a limit that binds", 1);
    drain_with_four(database, rows, [&] {
        doubles += ++running > binding_limit ? 1 : 0;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        --running;
    });
    return doubles;
}

}  // namespace

void limited(const lab& where, report& results) {
    const int rows = where.tiny() ? 2000 : where.size(200'000, 50'000);
    std::vector<double> with;
    std::vector<double> without;
    std::vector<double> ratio;
    for (int round = 0; round < where.rounds(); ++round) {
        for (int side = 0; side < 2; ++side) {
            const bool limit = (round + side) % 2 == 0;
            const fresh_database database(where);
            set_bench_limit(database, limit ? 100 : 0);
            publish_backlog(database, rows);
            const progress shown(
                fmt::format("drain {} limit, round {}", limit ? "with a" : "without", round + 1),
                1);
            (limit ? with : without).push_back(drain_with_four(database, rows, [] {}));
        }
        ratio.push_back(with.back() / without.back());
    }
    results.add("limited_over_free", median(ratio));
    results.add("limited_messages_per_s", median(with));
    results.add("free_messages_per_s", median(without));
    results.add("double_slots", count_double_slots(where));
}

}  // namespace postrider::bench
