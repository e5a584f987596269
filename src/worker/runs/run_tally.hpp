#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <postrider/outcome.hpp>
#include <string>
#include <vector>

#include "worker/batches/held_batch.hpp"
#include "worker/runs/handlers.hpp"

namespace postrider::working {

/// Classes of durations; sql/functions/history/time_bound.sql has their lower bounds.
inline constexpr std::size_t time_classes = 74;
/// The class of a duration, from 0.
std::size_t time_class(std::chrono::microseconds duration);

/// When a message was published, by the clock of the database: the time in its id if that is a
/// UUID of version 7, as ids are by default, otherwise occurred_at.
std::chrono::system_clock::time_point published_at(const event_fields& message);

/// One run that ended.
struct counted_run {
    outcome_kind how;
    int attempts;
    clock::duration spent;
    std::optional<std::chrono::microseconds> queued;  ///< of a first attempt
};

/// Counts runs by handler. Not thread-safe. A few additions per run: nothing is allocated after the
/// first run of a handler.
class run_tally {
  public:
    void count(const handler& by, const counted_run& run);
    void add(const run_tally& other);
    bool empty() const { return handlers_.empty(); }
    /// The argument of postrider.record_runs().
    std::string json() const;

  private:
    static constexpr std::size_t attempts_shown = 8;

    struct counts {
        const handler* by;
        std::uint64_t delivered = 0;
        std::uint64_t transient = 0;
        std::uint64_t terminal = 0;
        std::uint64_t other = 0;
        std::array<std::uint32_t, attempts_shown> attempts = {};
        std::array<std::uint32_t, time_classes> run_times = {};
        std::array<std::uint32_t, time_classes> queue_times = {};
    };
    counts& of(const handler& by);

    std::vector<counts> handlers_;  ///< few, so that a search costs nothing
};

}  // namespace postrider::working
