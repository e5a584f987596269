#include "bench/worker/consume_worker.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <postrider/worker.hpp>
#include <stdexcept>
#include <thread>

#include "bench/lab/source.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

using instant = std::chrono::steady_clock::time_point;

// Counts to a number; other threads can wait for it.
class countdown {
  public:
    explicit countdown(long long from) : left_(from) {}
    void step() {
        if (--left_ == 0) {
            const std::lock_guard lock(mutex_);
            done_.notify_one();
        }
    }
    void wait() {
        std::unique_lock lock(mutex_);
        if (!done_.wait_for(lock, std::chrono::minutes(4), [&] { return left_ <= 0; })) {
            throw std::runtime_error(fmt::format("{} messages not handled", left_.load()));
        }
    }

  private:
    std::atomic<long long> left_;
    std::mutex mutex_;
    std::condition_variable done_;
};

worker_options options_for(const consume_options& options) {
    worker_options chosen{.consumer = "bench", .batch_max = options.batch};
    chosen.concurrency = options.connections;
    return chosen;
}

void drain(const consume_options& options, const conversation& speak) {
    countdown left(options.count);
    worker draining(options_for(options));
    draining.on("*", "bench.all", [&](const event&) { left.step(); });
    speak.ready();
    const stopwatch watch;
    draining.start();
    left.wait();
    draining.request_stop();
    draining.wait();
    speak.say(fmt::format("done {}", watch.elapsed()));
    speak.leave();
    ::pause();
}

void arrivals(const consume_options& options, const conversation& speak) {
    countdown left(options.count);
    std::mutex mutex;
    std::vector<std::pair<std::int64_t, instant>> seen;
    worker listening(options_for(options));
    listening.on("*", "bench.all", [&](const event& e) {
        const auto now = std::chrono::steady_clock::now();
        {
            const std::lock_guard lock(mutex);
            seen.emplace_back(number_in(e.payload()), now);
        }
        left.step();
    });
    listening.start();
    speak.ready();
    left.wait();
    report_arrivals(seen);
    listening.request_stop();
    listening.wait();
    speak.leave();
    ::pause();
}

void stream(const consume_options& options, const conversation& speak) {
    std::atomic<std::int64_t> taken = 0;
    worker running(options_for(options));
    running.on("*", "bench.all", [&](const event&) { ++taken; });
    speak.ready();
    speak.leave();
    running.start();
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        speak.say(fmt::format("consumed {}", taken.load()));
    }
}

}  // namespace

void consume_by_worker(const consume_options& options, const conversation& speak) {
    if (options.mode == "drain") {
        drain(options, speak);
    } else if (options.mode == "arrivals") {
        arrivals(options, speak);
    } else {
        stream(options, speak);
    }
}

}  // namespace postrider::bench
