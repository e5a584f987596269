#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <postrider/sinks.hpp>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sinks/http_post.hpp"
#include "sinks/kept_span.hpp"

namespace postrider::sinks {

/// A bounded queue of spans and a thread that sends them. Its destructor sends queued spans within
/// otlp_options::flush_timeout.
class span_sender {
  public:
    explicit span_sender(otlp_options options);
    span_sender(const span_sender&) = delete;
    span_sender& operator=(const span_sender&) = delete;
    ~span_sender();

    /// Takes a span, or drops it when the queue is full. Never waits.
    template <typename Record>
    void push(const Record& record) {
        if (has_room()) {
            push(kept_span(record));
        }
    }
    span_counts counts() const;
    bool flush(std::chrono::milliseconds timeout);

  private:
    using clock = std::chrono::steady_clock;
    using batch = std::vector<kept_span>;

    bool has_room();
    void push(kept_span span);
    void run();
    batch next_batch();
    void deliver(const batch& spans);
    clock::duration jittered(std::chrono::milliseconds pause);
    bool wait_before_retry(clock::duration pause, clock::time_point give_up_at);
    bool flush_is_over() const;
    void settle(std::size_t sent, std::size_t dropped);
    void note_drops();
    void note_failure(const http_answer& answer);
    void note_success();
    void say(level how, std::string_view state, const std::string& message) const noexcept;

    const otlp_options options_;
    const std::string resource_;
    http_post collector_;

    mutable std::mutex mutex_;
    std::condition_variable woken_;
    std::condition_variable idle_;
    std::deque<kept_span> queue_;
    std::size_t in_hand_ = 0;
    std::uint64_t sent_ = 0;
    std::uint64_t dropped_ = 0;
    bool stopping_ = false;
    bool hurried_ = false;
    clock::time_point flush_until_;

    // Used by the thread alone: the problems already reported.
    bool failing_ = false;
    bool dropping_ = false;
    std::uint64_t dropped_before_ = 0;
    std::minstd_rand dice_;

    std::thread thread_;
};

}  // namespace postrider::sinks
