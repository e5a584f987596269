// due_cost: the write cost of messages with priorities, from publishing them to the last report:
// bytes of WAL and dead row versions per message.
#include <postrider/worker.hpp>

#include "bench/due/due.hpp"
#include "bench/due/due_systems.hpp"
#include "bench/lab/countdown.hpp"
#include "bench/lab/workload.hpp"
#include "bench/lab/written.hpp"

namespace postrider::bench {

void due_cost(const lab& where, report& results) {
    const int count = part_of(where, 100'000);
    const auto system = make_postrider_worker();
    const fresh_database database(where);
    system->install(database);
    database.settle_down();
    auto observer = database.connect();
    const progress shown("wal and dead rows of messages with priorities", 1);
    const auto rewritten = rewritten_rows(observer);
    const auto wal = wal_position(observer);
    publish_due(database, *due_system_of(*system), count, true);
    {
        countdown left(count);
        worker running({.database = database.conninfo(), .consumer = "bench"});
        running.on("*", "bench.all", [&](const event&) { left.step(); });
        running.start();
        left.wait();
        running.request_stop();
        running.wait();
    }
    const double messages = count;
    results.add("due_wal_bytes", static_cast<double>(wal_position(observer) - wal) / messages);
    results.add("due_dead_tuples",
                static_cast<double>(rewritten_rows(observer) - rewritten) / messages);
}

}  // namespace postrider::bench
