#include "bench/engine/consume.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/engine/classic_queue.hpp"
#include "bench/lab/source.hpp"
#include "bench/lab/workload.hpp"
#include "bench/worker/consume_worker.hpp"

namespace postrider::bench {
namespace {

using instant = std::chrono::steady_clock::time_point;

void say(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

void wait_for_go() {
    say("ready");
    std::string line;
    if (!std::getline(std::cin, line)) {
        std::_Exit(0);
    }
}

void wait_for_end() {
    std::string line;
    while (std::getline(std::cin, line)) {
    }
}

// Ends this process when its parent has ended.
void end_with_stdin() {
    std::thread([] {
        wait_for_end();
        std::_Exit(0);
    }).detach();
}

[[noreturn]] void report_counts(const std::atomic<std::int64_t>& consumed) {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        say(fmt::format("consumed {}", consumed.load()));
    }
}

std::vector<std::unique_ptr<source>> make_sources(const consume_options& options) {
    std::vector<std::unique_ptr<source>> made;
    for (int i = 0; i < options.connections; ++i) {
        made.push_back(
            make_source(options.mode == "priority" ? options.system + "_priority" : options.system,
                        pg::connection("")));
    }
    return made;
}

void drain(const consume_options& options) {
    auto sources = make_sources(options);
    wait_for_go();
    std::atomic<std::int64_t> taken = 0;
    const stopwatch watch;
    std::vector<std::future<void>> running;
    running.reserve(sources.size());
    for (auto& one : sources) {
        running.push_back(std::async(std::launch::async, [&] {
            while (const int got = one->next(options.batch)) {
                taken += got;
            }
        }));
    }
    for (auto& one : running) {
        one.get();
    }
    const auto took = watch.elapsed();
    if (taken != options.count) {
        throw std::runtime_error(fmt::format("{} drained {} messages instead of {}", options.system,
                                             taken.load(), options.count));
    }
    say(fmt::format("done {}", took));
    wait_for_end();
}

// Only the classic queue supports failing messages here.
void failing(const consume_options& options) {
    classic_worker worker(pg::connection(""));
    wait_for_go();
    const stopwatch watch;
    long long runs = 0;
    while (const int got = worker.exchange_failing_once(options.batch)) {
        runs += got;
    }
    const auto took = watch.elapsed();
    if (runs != 2 * options.count) {
        throw std::runtime_error(fmt::format("{} ran {} messages {} times instead of twice each",
                                             options.system, options.count, runs));
    }
    say(fmt::format("done {}", took));
    wait_for_end();
}

void due(const consume_options& options) {
    auto from = make_source(options.system, pg::connection(""));
    wait_for_go();
    end_with_stdin();
    for (long long handled = 0; handled < options.count;) {
        const int got = from->next(options.batch);
        handled += got;
        if (got == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }
    const auto ended = seconds_since_1970();
    from->next(options.batch);
    say(fmt::format("done {:.6f}", ended));
    for (;;) {
        ::pause();
    }
}

void arrivals(const consume_options& options) {
    auto from = make_source(options.system, pg::connection(""));
    from->be_woken();
    wait_for_go();
    end_with_stdin();
    std::vector<std::pair<std::int64_t, instant>> seen;
    while (static_cast<long long>(seen.size()) < options.count) {
        const int got = from->next(options.batch);
        const auto now = std::chrono::steady_clock::now();
        for (int i = 0; i < got; ++i) {
            seen.emplace_back(number_in(from->payload(i)), now);
        }
        if (got == 0) {
            from->wait();
        }
    }
    from->next(options.batch);
    report_arrivals(seen);
    for (;;) {
        ::pause();
    }
}

void stream(const consume_options& options) {
    auto sources = make_sources(options);
    wait_for_go();
    end_with_stdin();
    std::atomic<std::int64_t> taken = 0;
    std::vector<std::jthread> running;
    for (auto& one : sources) {
        running.emplace_back([&taken, &one, &options] {
            for (;;) {
                const int got = one->next(options.batch);
                taken += got;
                if (got == 0) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(2));
                }
            }
        });
    }
    report_counts(taken);
}

}  // namespace

void report_arrivals(const std::vector<std::pair<std::int64_t, instant>>& seen) {
    std::string lines;
    for (const auto& [number, when] : seen) {
        lines += fmt::format("arrived {} {}\n", number, when.time_since_epoch().count());
    }
    say(lines + "done");
}

void consume(const consume_options& options) {
    if (options.system == "postrider_worker") {
        consume_by_worker(options, {.ready = wait_for_go, .say = say, .leave = end_with_stdin});
    } else if (options.mode == "drain" || options.mode == "priority") {
        drain(options);
    } else if (options.mode == "failing") {
        failing(options);
    } else if (options.mode == "due") {
        due(options);
    } else if (options.mode == "arrivals") {
        arrivals(options);
    } else {
        stream(options);
    }
}

}  // namespace postrider::bench
