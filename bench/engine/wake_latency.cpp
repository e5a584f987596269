// wake_latency: from just before COMMIT is sent to the claim of the message by a sleeping consumer,
// at 200 messages a second. A durable COMMIT waits for the disk before it is visible; the latency
// without that wait, the cost of the doorbell itself, is reported too.
#include <fmt/core.h>

#include <future>
#include <postrider/error.hpp>

#include "bench/engine/engine.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

constexpr const char* channel = "outbox_default";

using instant = std::chrono::steady_clock::time_point;

double milliseconds(instant from, instant to) { return seconds(to - from).count() * 1000; }

// Sleeps on the doorbell between messages; an event's version is its number.
class sleeper {
  public:
    sleeper(const fresh_database& database, std::size_t expected)
        : worker_(database.connect_consumer()),
          bell_(database.connect_consumer()),
          received_(expected) {
        worker_.session().listen(channel);
        bell_.exec_params("select postrider.doorbell_hold($1)", pg::params(channel));
    }
    void run() {
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        while (count_ < received_.size() && std::chrono::steady_clock::now() < give_up) {
            if (claim()) {
                continue;
            }
            ++sleeps_;
            worker_.session().wait_notification(std::chrono::seconds(1));
        }
    }
    const std::vector<instant>& received() const { return received_; }
    std::size_t count() const { return count_; }
    int sleeps() const { return sleeps_; }

  private:
    bool claim() {
        const auto& batch = worker_.exchange(100);
        const auto now = std::chrono::steady_clock::now();
        for (int i = 0; i < batch.size(); ++i) {
            received_.at(static_cast<std::size_t>(batch[i].event_version())) = now;
        }
        count_ += static_cast<std::size_t>(batch.size());
        return !batch.empty();
    }

    bench_worker worker_;
    pg::connection bell_;  ///< holds the doorbell, so every publication sends NOTIFY
    std::vector<instant> received_;
    std::size_t count_ = 0;
    int sleeps_ = 0;
};

struct latencies {
    std::vector<double> wake;    // from just before COMMIT is sent to the claim that has it
    std::vector<double> commit;  // duration of the publisher's COMMIT
    double sleeps;
};

latencies measure_wake(const lab& where, std::size_t count, bool durable) {
    const fresh_database database(where);
    sleeper consumer(database, count);
    auto session = durable ? database.connect() : database.connect_consumer();
    auto reader = std::async(std::launch::async, [&] { consumer.run(); });
    const auto sent = publish_steadily(session, count);
    reader.get();
    if (consumer.count() != count) {
        throw error(errc::database_error,
                    fmt::format("{} of {} messages arrived", consumer.count(), count));
    }
    latencies measured{};
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [commit_sent, committed] = sent[i];
        measured.wake.push_back(milliseconds(commit_sent, consumer.received()[i]));
        measured.commit.push_back(milliseconds(commit_sent, committed));
    }
    measured.sleeps = static_cast<double>(consumer.sleeps()) / static_cast<double>(count);
    return measured;
}

}  // namespace

void wake_latency(const lab& where, report& results) {
    const auto count = where.size<std::size_t>(2000, 600);
    progress shown("wake-up at 200 messages a second", 2);
    const auto durable = measure_wake(where, count, true);
    shown.advance(1);
    const auto in_memory = measure_wake(where, count / 2, false);
    results.add("wake_p50_ms", quantile(durable.wake, 0.5));
    results.add("wake_p99_ms", quantile(durable.wake, 0.99));
    results.add("wake_commit_p50_ms", quantile(durable.commit, 0.5));
    results.add("wake_commit_p99_ms", quantile(durable.commit, 0.99));
    results.add("wake_without_disk_p50_ms", quantile(in_memory.wake, 0.5));
    results.add("wake_without_disk_p99_ms", quantile(in_memory.wake, 0.99));
    results.add("wake_sleeps_per_message", durable.sleeps);
}

}  // namespace postrider::bench
