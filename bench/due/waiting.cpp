// waiting: ratio of the p99 of claims of due messages while very many messages are due next week to
// the same with few.
#include <fmt/core.h>

#include <algorithm>
#include <postrider/error.hpp>
#include <postrider/worker.hpp>
#include <thread>

#include "bench/due/due.hpp"
#include "bench/lab/workload.hpp"
#include "store/work/workers.hpp"

namespace postrider::bench {
namespace {

// A database in which messages wait for next week.
class waiting_room {
  public:
    waiting_room(const lab& where, std::int64_t rows) : database_(where) {
        { const bench_worker known(database_.connect()); }
        publish(rows, "interval '7 days'");
        park();
        database_.settle_down();
    }
    // Milliseconds per claim of messages that have just become due.
    std::vector<double> measure(int claims) {
        auto session = database_.connect_consumer();
        const auto id = uuid::random();
        store::register_worker(session,
                               {.worker = id,
                                .consumer = "bench",
                                .handlers = {{.name = "bench.all", .event_types = {"*"}}}});
        publish(std::int64_t{small_batch} * claims, "interval '2 s'");
        const auto due = std::chrono::steady_clock::now() + std::chrono::seconds(2);
        session.exec_params("select count(*) from postrider.claim($1::uuid, 1000)",
                            pg::params(id.text()));  // parks them: no other messages are due
        std::this_thread::sleep_until(due);
        session.prepare("claim", "select count(*) from postrider.claim($1, $2)");
        std::vector<double> took;
        for (int i = 0; i < claims; ++i) {
            const stopwatch watch;
            const auto claimed = session.exec_prepared("claim", pg::params(id.text(), small_batch));
            took.push_back(watch.elapsed() * 1000);
            if (claimed.get<int>(0, 0) != small_batch) {
                throw error(errc::database_error, fmt::format("{} of {} due messages claimed",
                                                              claimed.get<int>(0, 0), small_batch));
            }
        }
        return took;
    }

  private:
    void publish(std::int64_t rows, const char* later) {
        constexpr std::int64_t piece = 100'000;
        progress shown(fmt::format("  publish {} messages for later", rows), rows);
        auto session = database_.connect_consumer();
        for (std::int64_t first = 0; first < rows; first += piece) {
            const auto last = std::min(first + piece, rows) - 1;
            session.exec(fmt::format(
                "insert into postrider.message (event_type, source, payload, available_at)"
                " select 'order.placed', 'bench', json_build_object('order_id', n),"
                " clock_timestamp() + {} from generate_series({}, {}) n",
                later, first, last));
            shown.advance(last - first + 1);
        }
    }
    void park() {
        const progress shown("  let a worker park them", 1);
        worker parking({.database = database_.conninfo(), .consumer = "bench", .until_idle = true});
        parking.on("*", "bench.all", [](const event&) {});
        parking.start();
        parking.wait();
    }

    fresh_database database_;
};

}  // namespace

void waiting(const lab& where, report& results) {
    const auto large_rows = where.tiny() ? 20'000 : where.size<std::int64_t>(10'000'000, 1'000'000);
    const int claims = where.tiny() ? 50 : where.size(1000, 500);
    waiting_room small(where, 10'000);
    waiting_room large(where, large_rows);
    std::vector<double> ratio;
    std::vector<double> small_p99;
    std::vector<double> large_p99;
    for (int round = 0; round < where.rounds(); ++round) {
        const progress shown(fmt::format("claims beside waiting messages, round {}", round + 1), 1);
        for (int side = 0; side < 2; ++side) {
            if ((round + side) % 2 == 0) {
                small_p99.push_back(quantile(small.measure(claims), 0.99));
            } else {
                large_p99.push_back(quantile(large.measure(claims), 0.99));
            }
        }
        ratio.push_back(large_p99.back() / small_p99.back());
    }
    results.add("due_p99_10m_over_10k", median(ratio));
    results.add("due_waiting_rows", static_cast<double>(large_rows));
    results.add("due_p99_small_ms", median(small_p99));
    results.add("due_p99_large_ms", median(large_p99));
    due_cost(where, results);
}

}  // namespace postrider::bench
