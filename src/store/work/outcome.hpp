#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/encoding/uuid.hpp"
#include "base/json/json.hpp"

namespace postrider::store {

/// Identifies a lease: its id and the secret token of its holder.
struct lease_ref {
    std::int64_t id;
    uuid token;
};

/// How a run ended; sql/functions/deliveries/internal/conclude.sql acts on it.
enum class outcome { delivered, transient, terminal, crashed, snooze, interrupted };

/// State of a lease after settle() or exchange().
enum class settlement {
    settled,    ///< no members are left
    open,       ///< some members are left
    lost_lease  ///< no longer held by this worker; nothing was changed
};

/// A run of a lease that an immediate retry followed.
struct earlier_run {
    std::string error;
    std::string error_class;
    std::chrono::microseconds duration;
    std::chrono::microseconds ago;  ///< when it ended, before the last run did
};

/// A message of a lease that was not delivered, by one handler or, without a handler, by all.
struct failure {
    std::int64_t seq;
    outcome how = outcome::transient;
    std::optional<std::string> handler = {};
    std::optional<std::string> error = {};
    std::optional<std::string> error_class = {};
    std::optional<std::chrono::milliseconds> delay = {};  ///< instead of the handler's backoff
    std::optional<std::chrono::microseconds> duration = {};
    std::vector<earlier_run> earlier = {};  ///< the first one first
};

std::string_view to_string(outcome how);
/// Milliseconds with three digits, as a number of JSON.
std::string milliseconds_text(std::chrono::microseconds duration);

/// Completes the JSON of a failure or a delivery_outcome: how it ended, why, and the delay.
template <typename Run>
std::string with_outcome(json_object identified, const Run& run) {
    identified.add("outcome", to_string(run.how))
        .add("error", run.error)
        .add("error_class", run.error_class);
    if (run.delay) {
        identified.add("delay_ms", run.delay->count());
    }
    if (run.duration) {
        identified.add_raw("duration_ms", milliseconds_text(*run.duration));
    }
    return identified.text();
}

settlement settlement_from(std::string_view text);
/// The JSON argument of settle() and exchange().
std::string failures_json(std::span<const failure> failures);

}  // namespace postrider::store
