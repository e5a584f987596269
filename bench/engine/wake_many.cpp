// wake_many: from just before COMMIT is sent to the handler, with several consumers on one channel.
// Producers keep their transactions open for 20 ms, as a web request does; or there is one short
// transaction every 5 ms, and the same with NOTIFY in every commit.
#include <fmt/core.h>

#include <atomic>
#include <memory>
#include <postrider/error.hpp>
#include <postrider/worker.hpp>
#include <thread>

#include "bench/engine/engine.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

using namespace std::chrono_literals;
using instant = std::chrono::steady_clock::time_point;

// One consumer with one worker; an event's version is its number.
class reader {
  public:
    reader(const fresh_database& database, const std::string& name, std::size_t expected)
        : received_(expected), missing_(expected) {
        worker_ = std::make_unique<worker>(
            worker_options{.database = database.conninfo(), .consumer = name, .concurrency = 2});
        worker_->on("*", name + ".all", [this](const event& e) {
            if (e.event_version() > 0) {
                received_.at(static_cast<std::size_t>(e.event_version()) - 1) =
                    std::chrono::steady_clock::now();
                --missing_;
                missing_.notify_one();
            }
        });
        worker_->start();
    }
    const std::vector<instant>& received() const { return received_; }
    void wait() {
        for (auto left = missing_.load(); left > 0; left = missing_.load()) {
            missing_.wait(left);
        }
    }

  private:
    std::vector<instant> received_;
    std::atomic<std::size_t> missing_;
    std::unique_ptr<worker> worker_;
};

struct load {
    int consumers;
    int producers;
    std::size_t messages;  ///< of each producer
    std::chrono::milliseconds open;
    std::chrono::milliseconds pause;
    int left_open = 0;  ///< transactions that publish and stay open throughout
    const char* wake = "doorbell";
};

void publish(const fresh_database& database, const load& by, std::size_t first,
             std::vector<instant>& sent) {
    auto session = database.connect();
    session.prepare("publish",
                    "insert into postrider.message (event_type, event_version, source, payload)"
                    " values ('order.placed', $1, 'bench', '{}')");
    auto next = std::chrono::steady_clock::now();
    for (std::size_t i = first; i < first + by.messages; ++i) {
        std::this_thread::sleep_until(next += by.pause);
        session.exec("begin");
        session.exec_prepared("publish", pg::params(i + 1));
        std::this_thread::sleep_for(by.open);
        sent[i] = std::chrono::steady_clock::now();
        session.exec("commit");
    }
}

// The given quantile of each consumer's latencies in milliseconds; that of the slowest consumer.
double slowest(const lab& where, const load& by, double wanted) {
    const fresh_database database(where);
    auto session = database.connect();
    session.exec(fmt::format("select postrider.set_wake('outbox_default', '{}')", by.wake));
    const auto count = by.messages * static_cast<std::size_t>(by.producers);
    std::vector<std::unique_ptr<reader>> readers;
    for (int i = 0; i < by.consumers; ++i) {
        readers.push_back(std::make_unique<reader>(database, fmt::format("bench{}", i), count));
    }
    std::vector<pg::connection> left_open;
    for (int i = 0; i < by.left_open; ++i) {
        left_open.push_back(database.connect());
        left_open.back().exec("begin");
        left_open.back().exec("select postrider.publish('left.open', p_event_version => 0)");
    }
    std::vector<instant> sent(count);
    {
        std::vector<std::jthread> producers;
        for (int i = 0; i < by.producers; ++i) {
            producers.emplace_back(
                [&, i] { publish(database, by, by.messages * static_cast<std::size_t>(i), sent); });
        }
    }
    double worst = 0;
    for (const auto& one : readers) {
        one->wait();
        std::vector<double> latencies;
        for (std::size_t i = 0; i < count; ++i) {
            latencies.push_back(seconds(one->received()[i] - sent[i]).count() * 1000);
        }
        worst = std::max(worst, quantile(latencies, wanted));
    }
    return worst;
}

}  // namespace

void wake_many(const lab& where, report& results) {
    load requests{.consumers = 3,
                  .producers = 10,
                  .messages = where.size<std::size_t>(200, 60),
                  .open = 20ms,
                  .pause = 0ms};
    load beats{.consumers = 8,
               .producers = 1,
               .messages = where.size<std::size_t>(2000, 400),
               .open = 0ms,
               .pause = 5ms};
    progress shown("several consumers", 4);
    results.add("wake_many_p99_ms", slowest(where, requests, 0.99));
    shown.advance(1);
    requests.left_open = 3;
    results.add("wake_many_open_p99_ms", slowest(where, requests, 0.99));
    shown.advance(1);
    const auto ours = slowest(where, beats, 0.5);
    shown.advance(1);
    beats.wake = "always";
    const auto always = slowest(where, beats, 0.5);
    results.add("wake_many_p50_over_always", ours / always);
    results.add("wake_many_p50_ms", ours);
}

}  // namespace postrider::bench
