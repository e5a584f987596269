// worker_memory: the memory of the process while one worker holds 10,000 messages of 200 bytes.
#include <fmt/core.h>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <postrider/error.hpp>
#include <postrider/worker.hpp>
#include <string>

#include "bench/lab/workload.hpp"
#include "bench/worker/worker.hpp"

namespace postrider::bench {
namespace {

constexpr int held = 10'000;

double resident_mib() {
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line)) {
        if (line.starts_with("VmRSS:")) {
            return std::stod(line.substr(6)) / 1024;
        }
    }
    throw error(errc::database_error, "/proc/self/status does not say VmRSS");
}

// Quick at first, so that the worker claims many messages at once; then it blocks.
class valve {
  public:
    void pass(const event&) {
        if (++passed_ > 2000) {
            std::unique_lock lock(mutex_);
            opened_.wait(lock, [&] { return open_; });
        }
    }
    void open() {
        {
            const std::lock_guard lock(mutex_);
            open_ = true;
        }
        opened_.notify_all();
    }

  private:
    std::atomic<int> passed_ = 0;
    std::mutex mutex_;
    std::condition_variable opened_;
    bool open_ = false;
};

class gauge : public sink {
  public:
    void figures(const worker_figures& now) override {
        const std::lock_guard lock(mutex_);
        in_flight_ = now.in_flight;
        changed_.notify_all();
    }
    bool wait_for(int in_flight) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(60),
                                 [&] { return in_flight_ >= in_flight; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int in_flight_ = 0;
};

}  // namespace

void worker_memory(const lab& where, report& results) {
    const fresh_database database(where);
    { const bench_worker first(database.connect()); }  // the consumer exists before its messages
    fill(database, {"postrider.message"}, 30'000);
    progress shown("memory with 10,000 messages in flight", 1);
    valve gate;
    const auto figures = std::make_shared<gauge>();
    worker holding({.database = database.conninfo(),
                    .consumer = "bench",
                    .in_flight_max = held,
                    .sink = figures});
    holding.on("*", "bench.all", [&](const event& e) { gate.pass(e); });
    holding.start();
    if (!figures->wait_for(held - 100)) {
        gate.open();
        throw error(errc::database_error, "the worker does not take 10,000 messages");
    }
    results.add("rss_mib_10k", resident_mib());
    gate.open();
    holding.request_stop();
    holding.wait();
}

}  // namespace postrider::bench
