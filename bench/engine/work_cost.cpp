// work_cost: the write cost of consuming: bytes of WAL and dead row versions per message.
#include "bench/engine/engine.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

std::int64_t rewritten_rows(pg::connection& session) {
    return number(session,
                  "select sum(n_tup_upd + n_tup_del)::bigint from pg_stat_user_tables"
                  " where schemaname = 'postrider'");
}

}  // namespace

void work_cost(const lab& where, report& results) {
    const auto rows = where.size<std::int64_t>(200'000, 20'000);
    const fresh_database database(where);
    bench_worker worker(database.connect_consumer());
    fill(database, {"postrider.message"}, rows);
    database.settle_down();
    auto observer = database.connect();
    worker.session().exec("select pg_stat_force_next_flush()");
    const auto rewritten_before = rewritten_rows(observer);
    const auto wal_before = wal_position(observer);
    {
        progress shown("wal and dead rows, batches of 100", rows);
        while (const int got = worker.exchange(100).size()) {
            shown.advance(got);
        }
    }
    const auto wal = wal_position(observer) - wal_before;
    worker.session().exec("select pg_stat_force_next_flush()");
    const auto rewritten = rewritten_rows(observer) - rewritten_before;
    results.add("wal_bytes_per_consumed", static_cast<double>(wal) / static_cast<double>(rows));
    results.add("dead_tuples_per_consumed",
                static_cast<double>(rewritten) / static_cast<double>(rows));
}

}  // namespace postrider::bench
