// nats_worker, redis_worker: a worker with an empty handler drains a stream, in turn with a program
// that fetches and acknowledges with the same client library. Both are measured from the first
// connection to the last acknowledgement.
#include <fmt/core.h>

#include <thread>

#include "bench/brokers/bare_broker.hpp"
#include "bench/brokers/brokers.hpp"
#include "bench/brokers/prepared_messages.hpp"
#include "bench/lab/countdown.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

/// Transactions of the database, each of which is one statement of the worker. A session reports
/// its own when it ends.
std::int64_t statements_in(const lab& where, const fresh_database& database) {
    pg::connection observer(where.conninfo("postgres"));
    const auto of_database = fmt::format(" where datname = '{}'", database.name());
    while (number(observer, "select count(*) from pg_stat_activity" + of_database +
                                " and backend_type = 'client backend'") > 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return number(observer,
                  "select xact_commit + xact_rollback from pg_stat_database" + of_database);
}

struct worked_off {
    double per_second;
    double statements;  ///< per message
};

worked_off consumed_by_worker(const lab& where, bare_queue& broker, const std::string& stream,
                              const std::string& group, int count) {
    const fresh_database database(where);
    const auto before = statements_in(where, database);
    countdown left(count);
    const stopwatch watch;
    {
        worker_options how{.database = database.conninfo(),
                           .consumer = "bench",
                           .concurrency = 2,
                           .batch_max = 1000};
        how.source = broker_source(broker.source_from(stream, group));
        worker receiving(how);
        receiving.on("*", "bench.all", [&](const event&) { left.step(); });
        receiving.start();
        left.wait();
        receiving.request_stop();
        receiving.wait();
    }
    const auto elapsed = watch.elapsed();
    const auto used = statements_in(where, database) - before;
    return {count / elapsed, static_cast<double>(used) / count};
}

double by_bare_client(bare_queue& broker, const std::string& stream, const std::string& group,
                      int count) {
    const stopwatch watch;
    broker.consume(stream, group, count);
    return count / watch.elapsed();
}

void compare_worker(const lab& where, report& results, bare_queue& broker) {
    const int count = where.tiny() ? 1000 : 200'000;
    const std::string name = broker.name();
    const std::string stream = "bench";
    broker.make_stream(stream);
    {
        const progress shown(fmt::format("fill a stream of {}", name), 1);
        const prepared_messages messages(count, stream, broker.headers());
        broker.publish(stream, messages.all());
    }
    std::vector<double> worked;
    std::vector<double> bare;
    std::vector<double> ratio;
    std::vector<double> statements;
    for (int round = 0; round < where.rounds(); ++round) {
        for (int side = 0; side < 2; ++side) {
            const bool with_worker = (round + side) % 2 == 0;
            const auto group = fmt::format("group-{}-{}", round, side);
            const progress shown(
                fmt::format("work off a stream of {} by {}, round {}", name,
                            with_worker ? "a worker" : "the bare client", round + 1),
                1);
            if (with_worker) {
                const auto done = consumed_by_worker(where, broker, stream, group, count);
                worked.push_back(done.per_second);
                statements.push_back(done.statements);
            } else {
                bare.push_back(by_bare_client(broker, stream, group, count));
            }
        }
        ratio.push_back(worked.back() / bare.back());
    }
    results.add(name + "_worker_over_bare", median(ratio));
    results.add(name + "_worker_per_s", median(worked));
    results.add(name + "_bare_consumer_per_s", median(bare));
    if (name == "nats") {
        results.add("broker_db_statements_per_message", median(statements));
    }
}

}  // namespace

void nats_worker(const lab& where, report& results) {
    compare_worker(where, results, *start_nats(where));
}

void redis_worker(const lab& where, report& results) {
    compare_worker(where, results, *start_redis(where));
}

}  // namespace postrider::bench
