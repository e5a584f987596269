// worker_latency: from just before COMMIT is sent to the handler, at 200 messages a second, and
// the cost of an idle worker.
#include <sys/resource.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <postrider/error.hpp>
#include <postrider/worker.hpp>
#include <thread>

#include "bench/lab/workload.hpp"
#include "bench/worker/worker.hpp"

namespace postrider::bench {
namespace {

using instant = std::chrono::steady_clock::time_point;

double cpu_seconds() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto seconds_of = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

// An event's version is its number.
class awaited_arrivals {
  public:
    explicit awaited_arrivals(std::size_t expected) : received_(expected), missing_(expected) {}
    void note(const event& e) {
        received_.at(static_cast<std::size_t>(e.event_version())) =
            std::chrono::steady_clock::now();
        if (--missing_ == 0) {
            const std::lock_guard lock(mutex_);
            complete_.notify_one();
        }
    }
    void wait() {
        std::unique_lock lock(mutex_);
        if (!complete_.wait_for(lock, std::chrono::minutes(1), [&] { return missing_ == 0; })) {
            throw error(errc::database_error, "not every message arrived");
        }
    }
    const std::vector<instant>& received() const { return received_; }

  private:
    std::vector<instant> received_;
    std::atomic<std::size_t> missing_;
    std::mutex mutex_;
    std::condition_variable complete_;
};

// The server's count of the worker's transactions, each of which is one statement.
void measure_idleness(const lab& where, const fresh_database& database, report& results) {
    auto observer = pg::connection(where.conninfo("postgres"));
    const auto transactions = [&] {
        return observer
            .exec("select xact_commit + xact_rollback from pg_stat_database where datname = '" +
                  database.name() + "'")
            .get<double>(0, 0);
    };
    const auto length = where.size(std::chrono::seconds(30), std::chrono::seconds(12));
    // Statistics arrive with a delay of up to ten seconds: earlier activity must not be counted.
    std::this_thread::sleep_for(std::chrono::seconds(11));
    const auto before = transactions();
    const auto cpu_before = cpu_seconds();
    std::this_thread::sleep_for(length);
    const auto cpu = cpu_seconds() - cpu_before;
    std::this_thread::sleep_for(std::chrono::seconds(11));
    const auto window = seconds(length + std::chrono::seconds(11)).count();
    results.add("idle_queries_per_s", (transactions() - before) / window);
    results.add("idle_cpu_ms_per_s", cpu * 1000 / seconds(length).count());
}

}  // namespace

void worker_latency(const lab& where, report& results) {
    const auto count = where.size<std::size_t>(4000, 1000);
    const fresh_database database(where);
    awaited_arrivals arrived(count);
    worker listening({.database = database.conninfo(), .consumer = "bench"});
    listening.on("*", "bench.all", [&](const event& e) { arrived.note(e); });
    listening.start();
    {
        progress shown("publish to handler at 200 messages a second", 1);
        auto session = database.connect();
        const auto sent = publish_steadily(session, count);
        arrived.wait();
        std::vector<double> latencies;
        for (std::size_t i = 0; i < count; ++i) {
            latencies.push_back(seconds(arrived.received()[i] - sent[i].commit_sent).count() *
                                1000);
        }
        results.add("latency_p50_ms", quantile(latencies, 0.5));
        results.add("latency_p99_ms", quantile(latencies, 0.99));
    }
    progress shown("nothing to do", 1);
    measure_idleness(where, database, results);
    listening.request_stop();
    listening.wait();
}

}  // namespace postrider::bench
