// Single messages: their rate, and the latency from publication to a handler.
#include <fmt/core.h>

#include <optional>
#include <stdexcept>
#include <thread>

#include "bench/engine/publishers.hpp"
#include "bench/lab/progress.hpp"
#include "bench/lab/report.hpp"
#include "bench/lab/workload.hpp"
#include "bench/peers/peers.hpp"

namespace postrider::bench {
namespace {

constexpr auto interval = std::chrono::milliseconds(5);

// Reads the output of a consumer until it stops, so that the pipe never fills up.
class drained_pipe {
  public:
    explicit drained_pipe(child& from)
        : reader_([&from](const std::stop_token& stop) {
              try {
                  while (!stop.stop_requested()) {
                      from.read_line();
                  }
              } catch (const std::exception& problem) {
                  fmt::print(stderr, "postrider-bench: {}\n", problem.what());
              }
          }) {}

  private:
    std::jthread reader_;
};

// Runs the ticker of systems that need one.
std::jthread start_ticker(const fresh_database& database, const peer& system) {
    if (!system.needs_ticks()) {
        return {};
    }
    return std::jthread([&](const std::stop_token& stop) {
        auto session = database.connect_consumer();
        while (!stop.stop_requested()) {
            system.after_publishing(session);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    });
}

// When each message was about to be committed, in nanoseconds of the steady clock.
std::vector<std::int64_t> publish_steadily(const fresh_database& database, const peer& system,
                                           int count, progress& shown) {
    auto session = database.connect();
    session.prepare("publish", system.publish_statement().c_str());
    const auto wake = system.wake_statement();
    std::vector<std::int64_t> sent;
    auto next = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
        std::this_thread::sleep_until(next += interval);
        session.exec("begin");
        session.exec_prepared("publish", pg::params(payload(i)));
        if (!wake.empty()) {
            session.exec(wake);
        }
        sent.push_back(std::chrono::steady_clock::now().time_since_epoch().count());
        session.exec("commit");
        shown.advance(1);
    }
    return sent;
}

}  // namespace

void measure_publish(const lab& where, const peer& system, samples& into) {
    const auto duration = seconds(sizes_for(where).publish_seconds);
    const fresh_database database(where);
    system.install(database);
    progress shown(fmt::format("  publish: {}", system.name()), 3);
    std::optional<child> consumer;
    std::optional<drained_pipe> reader;
    if (system.publishes_with_consumer()) {
        consumer.emplace(system.consumer("stream", system.best(), 0),
                         consumer_environment(database));
        consumer->expect("ready");
        consumer->say("go");
        reader.emplace(*consumer);
    }
    for (const int connections : {1, 8, 32}) {
        into[fmt::format("publish_{}", connections)].push_back(
            publishing_rate(database, system.publish_statement(), connections, duration));
        shown.advance(1);
    }
}

void measure_latency(const lab& where, const peer& system, samples& into) {
    const auto count = sizes_for(where).latency_messages;
    const fresh_database database(where);
    system.install(database);
    auto session = database.connect();
    system.wake_consumers(session);
    progress shown(fmt::format("  latency: {}", system.name()), count);
    const auto ticker = start_ticker(database, system);
    child consumer(system.consumer("arrivals", system.waits(), count),
                   consumer_environment(database));
    consumer.expect("ready");
    consumer.say("go");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the consumer sleeps by now
    const auto sent = publish_steadily(database, system, count, shown);
    std::vector<double> latencies;
    for (int i = 0; i < count; ++i) {
        const auto answer = consumer.expect("arrived", std::chrono::seconds(60));
        const auto blank = answer.find(' ');
        const auto number = std::stoul(answer.substr(0, blank));
        latencies.push_back(
            static_cast<double>(std::stoll(answer.substr(blank + 1)) - sent.at(number)) / 1e6);
    }
    into["latency_p50_ms"].push_back(quantile(latencies, 0.5));
    into["latency_p99_ms"].push_back(quantile(latencies, 0.99));
}

}  // namespace postrider::bench
