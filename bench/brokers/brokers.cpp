// brokers: a relay and a worker beside the bare client library of the broker, in turn, each with a
// broker of its own. The bare side publishes the same envelopes from memory, or fetches and
// acknowledges.
#include "bench/brokers/brokers.hpp"

#include <fmt/core.h>

#include <postrider/worker.hpp>
#include <thread>

#include "bench/brokers/broker_side.hpp"
#include "bench/lab/countdown.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

struct kind {
    const char* name;
    std::unique_ptr<broker_side> (*make)();
};

int messages_of(const lab& where) { return where.tiny() ? 500 : where.size(100'000, 20'000); }

// From the first connection to the last acknowledgement.
double relay_rate(const lab& where, const kind& of, int count) {
    const fresh_database database(where);
    const auto broker = of.make();
    worker relaying({.database = database.conninfo(),
                     .consumer = "bench",
                     .concurrency = 4,
                     .from_beginning = true,
                     .until_idle = true});
    relay(relaying, "*", "bench.relay", broker->relay_to(), {.batch_max = 500});
    fill(database, {"postrider.message"}, count);
    database.settle_down();
    const stopwatch watch;
    relaying.start();
    relaying.wait();
    const auto took = watch.elapsed();
    auto session = database.connect();
    if (const auto left = number(session, "select count(*) from postrider.delivery"); left != 0) {
        throw std::runtime_error(fmt::format("{} messages could not be relayed", left));
    }
    return count / took;
}

double bare_rate(const kind& of, int count) {
    const auto broker = of.make();
    const event_list all(count);
    const stopwatch watch;
    broker->publish(all.events());
    return count / watch.elapsed();
}

double worker_rate(const fresh_database& database, broker_side& broker, int count) {
    countdown left(count);
    worker by({.database = database.conninfo(),
               .consumer = "bench",
               .concurrency = 2,
               .source = broker_source(broker.source_of("worker"))});
    by.on("*", "bench.all", [&](const event&) { left.step(); });
    const stopwatch watch;
    by.start();
    left.wait();
    by.request_stop();
    by.wait();
    return count / watch.elapsed();
}

// Each transaction of a worker is one statement. Statistics arrive with a delay of up to ten
// seconds.
double transactions(const lab& where, const fresh_database& database) {
    if (!where.tiny()) {
        std::this_thread::sleep_for(std::chrono::seconds(11));
    }
    auto onlooker = pg::connection(where.conninfo("postgres"));
    return onlooker
        .exec("select xact_commit + xact_rollback from pg_stat_database where datname = '" +
              database.name() + "'")
        .get<double>(0, 0);
}

}  // namespace

void relay_rates(const lab& where, report& results) {
    const int count = messages_of(where);
    for (const auto& of : {kind{"nats", make_nats_side}, kind{"redis", make_redis_side},
                           kind{"kafka", make_kafka_side}}) {
        std::vector<double> relayed;
        std::vector<double> bare;
        std::vector<double> ratio;
        for (int round = 0; round < where.rounds(); ++round) {
            const progress shown(fmt::format("relay to {}, round {}", of.name, round + 1), 1);
            for (int side = 0; side < 2; ++side) {
                if ((round + side) % 2 == 0) {
                    relayed.push_back(relay_rate(where, of, count));
                } else {
                    bare.push_back(bare_rate(of, count));
                }
            }
            ratio.push_back(relayed.back() / bare.back());
        }
        results.add(fmt::format("relay_{}_over_bare", of.name), median(ratio));
        results.add(fmt::format("relay_{}_per_s", of.name), median(relayed));
        results.add(fmt::format("bare_{}_per_s", of.name), median(bare));
    }
}

void broker_workers(const lab& where, report& results) {
    const int count = messages_of(where);
    double statements = 0;
    for (const auto& of : {kind{"nats", make_nats_side}, kind{"redis", make_redis_side}}) {
        std::vector<double> worked;
        std::vector<double> bare;
        std::vector<double> ratio;
        for (int round = 0; round < where.rounds(); ++round) {
            const progress shown(fmt::format("worker on {}, round {}", of.name, round + 1), 1);
            const auto broker = of.make();
            const event_list all(count);
            broker->publish(all.events());
            for (int side = 0; side < 2; ++side) {
                if ((round + side) % 2 == 0) {
                    const fresh_database database(where);
                    const auto before = transactions(where, database);
                    worked.push_back(worker_rate(database, *broker, count));
                    statements =
                        std::max(statements, (transactions(where, database) - before) / count);
                } else {
                    const stopwatch watch;
                    broker->consume("bare", count);
                    bare.push_back(count / watch.elapsed());
                }
            }
            ratio.push_back(worked.back() / bare.back());
        }
        results.add(fmt::format("{}_worker_over_bare", of.name), median(ratio));
        results.add(fmt::format("{}_worker_per_s", of.name), median(worked));
        results.add(fmt::format("{}_consumer_per_s", of.name), median(bare));
    }
    results.add("broker_db_statements_per_message", statements);
}

// From just before COMMIT is sent to a worker's handler behind NATS.
void relay_latency(const lab& where, report& results) {
    const auto count = where.tiny() ? 100 : where.size<std::size_t>(4000, 1000);
    const fresh_database database(where);
    const auto broker = make_nats_side();
    const progress shown("commit to a handler behind NATS at 200 messages a second", 1);
    worker relaying({.database = database.conninfo(), .consumer = "out", .concurrency = 2});
    relay(relaying, "*", "out.relay", broker->relay_to());
    std::vector<std::chrono::steady_clock::time_point> received(count);
    countdown left(static_cast<long long>(count));
    worker by({.database = database.conninfo(),
               .consumer = "bench",
               .source = broker_source(broker->source_of("latency"))});
    by.on("*", "bench.all", [&](const event& e) {
        received.at(static_cast<std::size_t>(e.event_version())) = std::chrono::steady_clock::now();
        left.step();
    });
    relaying.start();
    by.start();
    auto session = database.connect();
    const auto sent = publish_steadily(session, count);
    left.wait();
    std::vector<double> latencies;
    for (std::size_t i = 0; i < count; ++i) {
        latencies.push_back(seconds(received[i] - sent[i].commit_sent).count() * 1000);
    }
    results.add("relay_latency_p50_ms", quantile(latencies, 0.5));
    results.add("relay_latency_p99_ms", quantile(latencies, 0.99));
}

const std::vector<scenario>& brokers_scenarios() {
    static const std::vector<scenario> all{{"relay_rates", relay_rates},
                                           {"relay_latency", relay_latency},
                                           {"broker_workers", broker_workers}};
    return all;
}

}  // namespace postrider::bench
