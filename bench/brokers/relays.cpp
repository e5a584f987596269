// relay_nats, relay_redis, relay_kafka: a relay sends a backlog of the log to a broker, in turn
// with a program that sends the same messages from memory with the same client library. Both are
// measured from the first connection to the last acknowledgement.
#include <fmt/core.h>

#include "bench/brokers/bare_broker.hpp"
#include "bench/brokers/brokers.hpp"
#include "bench/brokers/prepared_messages.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

double relay_rate(const lab& where, const relay_options& to, int rows) {
    const fresh_database database(where);
    { const bench_worker first(database.connect()); }
    fill(database, {"postrider.message"}, rows);
    database.settle_down();
    // As `postrider relay` does by default. Not drain(), which runs one batch at a time.
    worker relaying_worker({.database = database.conninfo(),
                            .consumer = "bench",
                            .concurrency = 4,
                            .until_idle = true});
    relay(relaying_worker, "*", "bench.all", to, {.batch_max = 500});
    const stopwatch watch;
    relaying_worker.run();
    const auto elapsed = watch.elapsed();
    auto session = database.connect();
    const auto failed = number(session, "select count(*) from postrider.delivery");
    if (failed > 0) {
        throw std::runtime_error(fmt::format("{} messages were not relayed at once", failed));
    }
    return rows / elapsed;
}

double bare_rate(bare_broker& broker, const std::string& stream, int rows) {
    const prepared_messages messages(rows, stream, broker.headers());
    const stopwatch watch;
    broker.publish(stream, messages.all());
    return rows / watch.elapsed();
}

void compare_relay(const lab& where, report& results, bare_broker& broker) {
    const int rows = where.tiny() ? 1000 : 200'000;
    const std::string name = broker.name();
    std::vector<double> relayed;
    std::vector<double> bare;
    std::vector<double> ratio;
    for (int round = 0; round < where.rounds(); ++round) {
        for (int side = 0; side < 2; ++side) {
            const bool by_relay = (round + side) % 2 == 0;
            const auto stream = fmt::format("bench-{}-{}", round, side);
            broker.make_stream(stream);
            const progress shown(fmt::format("publish to {} by {}, round {}", name,
                                             by_relay ? "a relay" : "the bare client", round + 1),
                                 1);
            (by_relay ? relayed : bare)
                .push_back(by_relay ? relay_rate(where, broker.relay_to(stream), rows)
                                    : bare_rate(broker, stream, rows));
            broker.remove_stream(stream);
        }
        ratio.push_back(relayed.back() / bare.back());
    }
    results.add("relay_" + name + "_over_bare", median(ratio));
    results.add("relay_" + name + "_per_s", median(relayed));
    results.add("bare_" + name + "_per_s", median(bare));
}

}  // namespace

void relay_nats(const lab& where, report& results) {
    compare_relay(where, results, *start_nats(where));
}

void relay_redis(const lab& where, report& results) {
    compare_relay(where, results, *start_redis(where));
}

void relay_kafka(const lab& where, report& results) {
    compare_relay(where, results, *start_kafka());
}

}  // namespace postrider::bench
