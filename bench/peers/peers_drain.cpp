// Draining a backlog at several batch sizes and at each system's best, with its cost.
#include <fmt/core.h>

#include "bench/lab/proc.hpp"
#include "bench/lab/progress.hpp"
#include "bench/lab/workload.hpp"
#include "bench/lab/written.hpp"
#include "bench/peers/peers.hpp"
#include "pg/conninfo.hpp"

namespace postrider::bench {
namespace {

// Messages per second of filling the queue in batches.
double fill_queue(const fresh_database& database, const peer& system, std::int64_t rows, int batch,
                  bool durable) {
    auto session = durable ? database.connect() : database.connect_consumer();
    double took = 0;
    for (std::int64_t first = 0; first < rows; first += batch) {
        const auto count = static_cast<int>(std::min<std::int64_t>(batch, rows - first));
        const stopwatch watch;
        system.publish_many(session, first, count);
        took += watch.elapsed();
        system.after_publishing(session);
    }
    return static_cast<double>(rows) / took;
}

double peer_drain_rate(const fresh_database& database, const peer& system, drain_shape shape,
                       std::int64_t rows) {
    child consumer(system.consumer("drain", shape, rows), consumer_environment(database));
    consumer.expect("ready");
    consumer.say("go");
    const auto took = std::stod(consumer.expect("done"));
    consumer.finish();
    return static_cast<double>(rows) / took;
}

// The same, watching the server and the consumer.
void drain_best(const lab& where, const fresh_database& database, const peer& system,
                std::int64_t rows, samples& into) {
    const auto messages = static_cast<double>(rows);
    auto observer = database.connect();
    const auto rewritten = rewritten_rows(observer);
    const auto wal = wal_position(observer);
    child consumer(system.consumer("drain", system.best(), rows), consumer_environment(database));
    consumer.expect("ready");
    const auto server = where.server_process();
    const auto cpu = [&] {
        return cpu_seconds_with_children(*server) + cpu_seconds(consumer.pid());
    };
    const double before = server ? cpu() : 0;
    consumer.say("go");
    const auto took = std::stod(consumer.expect("done"));
    if (server) {
        into["cpu_s_per_million"].push_back((cpu() - before) / messages * 1e6);
    }
    into["worker_rss_mib"].push_back(peak_resident_mib(consumer.pid()));
    consumer.finish();
    into["drain_best"].push_back(messages / took);
    into["wal_bytes"].push_back(static_cast<double>(wal_position(observer) - wal) / messages);
    into["dead_tuples"].push_back(static_cast<double>(rewritten_rows(observer) - rewritten) /
                                  messages);
}

}  // namespace

environment consumer_environment(const fresh_database& database) {
    auto variables = pg::as_environment(database.conninfo());
    variables["PGOPTIONS"] = "-c synchronous_commit=off";
    return variables;
}

double drain_at_best(const lab& where, const peer& system, std::int64_t rows) {
    const fresh_database database(where);
    system.install(database);
    fill_queue(database, system, rows, 1000, false);
    database.settle_down();
    return peer_drain_rate(database, system, system.best(), rows);
}

void measure_drain(const lab& where, const peer& system, samples& into) {
    const auto sizes = sizes_for(where);
    const struct {
        int batch;
        std::int64_t rows;
    } cases[] = {
        {1, sizes.drain_1}, {10, sizes.drain_10}, {100, sizes.drain_100}, {1000, sizes.drain_1000}};
    const fresh_database database(where);
    system.install(database);
    progress shown(fmt::format("  drain: {}", system.name()), 5);
    for (const auto& [batch, rows] : cases) {
        fill_queue(database, system, rows, system.needs_ticks() ? batch : 1000, false);
        database.settle_down();
        into[fmt::format("drain_{}", batch)].push_back(
            peer_drain_rate(database, system, system.drains(batch), rows));
        shown.advance(1);
    }
    into["bulk_publish"].push_back(fill_queue(database, system, sizes.drain_1000, 1000, true));
    database.settle_down();
    drain_best(where, database, system, sizes.drain_1000, into);
}

}  // namespace postrider::bench
