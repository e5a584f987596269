#include "worker/runs/run_tally.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "base/json/json.hpp"

namespace postrider::working {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// Up to the last count that is not 0.
std::string counts_json(std::span<const std::uint32_t> counts) {
    const auto last =
        std::ranges::find_if(counts.rbegin(), counts.rend(), [](auto n) { return n > 0; });
    json_array all;
    for (const auto n : counts.first(static_cast<std::size_t>(counts.rend() - last))) {
        all.add_raw(std::to_string(n));
    }
    return all.text();
}

template <std::size_t Size>
void add_counts(std::array<std::uint32_t, Size>& to, const std::array<std::uint32_t, Size>& more) {
    std::ranges::transform(to, more, to.begin(), std::plus{});
}

}  // namespace

std::size_t time_class(microseconds duration) {
    constexpr int first_octave = 6;  // 64 microseconds
    const auto us = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
    const int octave = static_cast<int>(std::bit_width(us)) - 1;
    if (octave < first_octave) {
        return 0;
    }
    const auto half = (us >> (octave - 1)) & 1U;
    return std::min<std::size_t>(1 + 2 * static_cast<std::size_t>(octave - first_octave) + half,
                                 time_classes - 1);
}

std::chrono::system_clock::time_point published_at(const event_fields& message) {
    constexpr int version_byte = 6;
    if (message.id[version_byte] >> 4 != 7) {
        return message.occurred_at;
    }
    std::int64_t ms = 0;
    for (const auto byte : std::span(message.id).first<6>()) {
        ms = ms << 8 | byte;
    }
    return std::chrono::system_clock::time_point(milliseconds(ms));
}

run_tally::counts& run_tally::of(const handler& by) {
    const auto found = std::ranges::find(handlers_, &by, &counts::by);
    return found != handlers_.end() ? *found : handlers_.emplace_back(counts{.by = &by});
}

void run_tally::count(const handler& by, const counted_run& run) {
    auto& to = of(by);
    switch (run.how) {
        case outcome_kind::delivered:
            ++to.delivered;
            break;
        case outcome_kind::transient:
            ++to.transient;
            break;
        case outcome_kind::terminal:
            ++to.terminal;
            break;
        default:
            ++to.other;
    }
    const auto attempt = static_cast<std::size_t>(std::max(run.attempts, 1)) - 1;
    ++to.attempts[std::min(attempt, attempts_shown - 1)];
    ++to.run_times[time_class(std::chrono::duration_cast<microseconds>(run.spent))];
    if (run.queued) {
        ++to.queue_times[time_class(*run.queued)];
    }
}

void run_tally::add(const run_tally& other) {
    for (const auto& more : other.handlers_) {
        auto& to = of(*more.by);
        to.delivered += more.delivered;
        to.transient += more.transient;
        to.terminal += more.terminal;
        to.other += more.other;
        add_counts(to.attempts, more.attempts);
        add_counts(to.run_times, more.run_times);
        add_counts(to.queue_times, more.queue_times);
    }
}

std::string run_tally::json() const {
    json_array all;
    for (const auto& one : handlers_) {
        json_object item;
        item.add("handler", one.by->name)
            .add("delivered", one.delivered)
            .add("transient", one.transient)
            .add("terminal", one.terminal)
            .add("other", one.other)
            .add_raw("attempts", counts_json(one.attempts))
            .add_raw("run_times", counts_json(one.run_times))
            .add_raw("queue_times", counts_json(one.queue_times));
        all.add_raw(item.text());
    }
    return all.text();
}

}  // namespace postrider::working
