#include "sinks/span_sender.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/blocked_signals.hpp"
#include "sinks/span_json.hpp"

namespace postrider::sinks {
namespace {

std::string traces_url(std::string endpoint) {
    while (endpoint.ends_with('/')) {
        endpoint.pop_back();
    }
    return endpoint + "/v1/traces";
}

// Clocks overflow with very long durations, so they are limited to a year.
constexpr std::chrono::milliseconds shortest{1};
constexpr std::chrono::milliseconds longest = std::chrono::hours(24 * 365);

std::chrono::milliseconds usable(std::chrono::milliseconds duration) {
    return std::clamp(duration, std::chrono::milliseconds(0), longest);
}

otlp_options usable(otlp_options options) {
    for (auto* length : {&options.batch_delay, &options.timeout, &options.retry_first,
                         &options.retry_last, &options.retry_for, &options.flush_timeout}) {
        *length = usable(*length);
    }
    // A delay of zero, doubled, stays zero.
    options.retry_first = std::max(options.retry_first, shortest);
    options.retry_last = std::max(options.retry_last, shortest);
    return options;
}

}  // namespace

span_sender::span_sender(otlp_options options)
    : options_(usable(std::move(options))),
      resource_(resource_json(options_.service)),
      collector_({.name = "the collector",
                  .url = traces_url(options_.endpoint),
                  .extra = options_.headers,
                  .timeout = options_.timeout}),
      dice_(std::random_device{}()) {
    const blocked_signals meanwhile;
    thread_ = std::thread([this] { run(); });
}

span_sender::~span_sender() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        flush_until_ = clock::now() + options_.flush_timeout;
    }
    woken_.notify_all();
    thread_.join();
}

// Checked before a span is copied, so that dropping one is cheap. Threads that check at the same
// time may overfill the queue by one span each.
bool span_sender::has_room() {
    const std::lock_guard lock(mutex_);
    const bool room = queue_.size() + in_hand_ < options_.queue_max;
    dropped_ += room ? 0 : 1;
    return room;
}

void span_sender::push(kept_span span) {
    std::size_t size = 0;
    {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(span));
        size = queue_.size();
    }
    // The thread sleeps until there is a span, then until there is a full batch.
    if (size == 1 || size == options_.batch_max) {
        woken_.notify_all();
    }
}

span_counts span_sender::counts() const {
    const std::lock_guard lock(mutex_);
    return {sent_, dropped_, queue_.size() + in_hand_};
}

bool span_sender::flush(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    hurried_ = true;
    woken_.notify_all();
    return idle_.wait_for(lock, usable(timeout),
                          [this] { return queue_.empty() && in_hand_ == 0; });
}

void span_sender::run() {
    for (auto spans = next_batch(); !spans.empty(); spans = next_batch()) {
        note_drops();
        deliver(spans);
    }
    note_drops();
}

// Blocks until there are spans; empty at the end.
span_sender::batch span_sender::next_batch() {
    std::unique_lock lock(mutex_);
    woken_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    woken_.wait_for(lock, options_.batch_delay, [this] {
        return stopping_ || hurried_ || queue_.size() >= options_.batch_max;
    });
    if (stopping_ && clock::now() >= flush_until_) {
        dropped_ += queue_.size();
        queue_.clear();
    }
    const auto size = std::min(queue_.size(), std::max<std::size_t>(options_.batch_max, 1));
    const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(size);
    batch taken(std::make_move_iterator(queue_.begin()), std::make_move_iterator(end));
    queue_.erase(queue_.begin(), end);
    in_hand_ = taken.size();
    hurried_ = hurried_ && !queue_.empty();
    return taken;
}

void span_sender::deliver(const batch& spans) {
    const auto body = spans_request(resource_, spans);
    const auto give_up_at = clock::now() + options_.retry_for;
    auto pause = options_.retry_first;
    while (true) {
        const auto answer = collector_.send(body, [this] { return flush_is_over(); });
        if (answer.ok()) {
            settle(spans.size(), 0);
            note_success();
            return;
        }
        note_failure(answer);
        if (!answer.worth_retrying() ||
            !wait_before_retry(std::max(jittered(pause), clock::duration(answer.retry_after)),
                               give_up_at)) {
            settle(0, spans.size());
            note_drops();
            return;
        }
        pause = std::min(pause * 2, options_.retry_last);
    }
}

// Between half and all of it, so that many processes do not retry at the same time.
span_sender::clock::duration span_sender::jittered(std::chrono::milliseconds pause) {
    std::uniform_int_distribution<std::int64_t> less(0, pause.count() / 2);
    return pause - std::chrono::milliseconds(less(dice_));
}

// False when there is no time for another attempt.
bool span_sender::wait_before_retry(clock::duration pause, clock::time_point give_up_at) {
    const auto until = clock::now() + pause;
    if (until > give_up_at) {
        return false;
    }
    std::unique_lock lock(mutex_);
    const bool was_stopping = stopping_;
    woken_.wait_until(lock, stopping_ ? std::min(until, flush_until_) : until,
                      [&] { return hurried_ || stopping_ != was_stopping; });
    hurried_ = false;
    return clock::now() < (stopping_ ? std::min(give_up_at, flush_until_) : give_up_at);
}

bool span_sender::flush_is_over() const {
    const std::lock_guard lock(mutex_);
    return stopping_ && clock::now() >= flush_until_;
}

void span_sender::settle(std::size_t sent, std::size_t dropped) {
    const std::lock_guard lock(mutex_);
    sent_ += sent;
    dropped_ += dropped;
    in_hand_ = 0;
    idle_.notify_all();
}

void span_sender::note_failure(const http_answer& answer) {
    if (!std::exchange(failing_, true)) {
        say(level::warning, "otlp_failing",
            "spans cannot be sent: " + answer.problem +
                (answer.worth_retrying() ? "; they are kept and tried again" : "; dropped"));
    }
    note_drops();
}

void span_sender::note_drops() {
    const auto dropped = counts().dropped;
    if (dropped != dropped_before_ && !std::exchange(dropping_, true)) {
        say(level::warning, "otlp_dropping", "spans are dropped because the collector is too slow");
    }
}

// Spans are flowing again when a whole batch went by without a loss.
void span_sender::note_success() {
    note_drops();
    const auto dropped = counts().dropped;
    const bool lossless = std::exchange(dropped_before_, dropped) == dropped;
    const bool was_failing = std::exchange(failing_, false);
    if (dropping_ ? lossless : was_failing) {
        dropping_ = false;
        say(level::info, "otlp_recovered",
            "spans are sent again; dropped so far: " + std::to_string(dropped));
    }
}

void span_sender::say(level how, std::string_view state,
                      const std::string& message) const noexcept {
    if (!options_.problems) {
        std::fprintf(stderr, "postrider: %s\n", message.c_str());
        return;
    }
    try {
        options_.problems->state_changed(
            {std::chrono::system_clock::now(), how, {}, state, message});
    } catch (...) {
        // There is no other receiver.
    }
}

}  // namespace postrider::sinks
