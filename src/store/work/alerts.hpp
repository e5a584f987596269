#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <postrider/alert.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/encoding/uuid.hpp"
#include "pg/connection.hpp"

namespace postrider::store {

struct alert_place {
    std::string target;         ///< its name
    std::string configuration;  ///< fingerprint of its settings; empty: none
};

/// Registers a target for alerts raised from now on. `started`: the first call of this process. A
/// target of another role with another configuration is not changed.
void add_alert_target(pg::connection& session, const alert_place& place, bool started);

/// The targets whose alerts this process may send: no other sender has a newer configuration of the
/// target, and the target does not belong to another role with another configuration.
std::vector<alert_place> sendable_places(pg::connection& session,
                                         std::span<const alert_place> targets);

struct claimed_alert {
    std::string target;  ///< where to send it
    uuid token;
    alert record;
};

/// Claims unsent alerts of several targets, at most `limit` of each, in one round trip. An alert
/// that is not settled within `lease` can be claimed again.
std::vector<claimed_alert> claim_alerts(pg::connection& session,
                                        std::span<const alert_place> targets, int limit,
                                        std::chrono::milliseconds lease);

struct alert_result {
    std::string target;
    std::int64_t alert_id;
    uuid token;
    std::optional<std::string> problem;  ///< empty: it was sent
};

/// Reports the results of claimed alerts, of any targets.
void settle_alerts(pg::connection& session, std::span<const alert_result> results);

}  // namespace postrider::store
