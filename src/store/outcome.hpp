#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/uuid.hpp"

namespace postrider::store {

/// Names a lease: its number and the secret that only its holder knows.
struct lease_ref {
    std::int64_t id;
    uuid token;
};

/// How a run ended; sql/functions/deliveries/internal/conclude.sql says what follows from each.
enum class outcome { delivered, failed, terminal, crashed, snooze, interrupted };

/// What became of a lease.
enum class settlement {
    settled,    ///< nothing is owed any more
    open,       ///< some of it still is
    lost_lease  ///< it is no longer this worker's; nothing was changed
};

/// A message of a lease that was not delivered. Without a handler: by none of its handlers.
struct failure {
    std::int64_t seq;
    outcome how = outcome::failed;
    std::optional<std::string> handler = {};
    std::optional<std::string> error = {};
    std::optional<std::string> error_class = {};
    std::optional<std::chrono::milliseconds> delay = {};  ///< instead of the handler's backoff
};

std::string_view to_string(outcome how);
settlement settlement_from(std::string_view text);
/// As settle() and exchange() take them.
std::string failures_json(std::span<const failure> failures);

}  // namespace postrider::store
