#include "bench/lab/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <mutex>

namespace postrider::bench {
namespace {

constexpr int width = 30;

}  // namespace

progress::progress(std::string label, std::int64_t total)
    : label_(std::move(label)), total_(total), terminal_(::isatty(STDERR_FILENO) == 1) {
    if (!terminal_) {
        return;
    }
    painter_ = std::jthread([this](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any ended;
        std::unique_lock lock(mutex);
        while (!stop.stop_requested()) {
            draw();
            ended.wait_for(lock, stop, std::chrono::milliseconds(200), [] { return false; });
        }
    });
}

progress::~progress() {
    if (terminal_) {
        painter_.request_stop();
        painter_.join();
        fmt::print(stderr, "\r\033[K");
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started_;
    fmt::print(stderr, "{:<58} {:6.1f} s\n", label_, took.count());
}

void progress::draw() const {
    const auto part = std::clamp(
        static_cast<double>(done_.load()) / static_cast<double>(std::max<std::int64_t>(total_, 1)),
        0.0, 1.0);
    const auto filled = static_cast<int>(part * width);
    fmt::print(stderr, "\r\033[K{:<58} [{:=<{}}{: <{}}] {:3.0f}%", label_, "", filled, "",
               width - filled, part * 100);
}

}  // namespace postrider::bench
