#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <postrider/alert.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/uuid.hpp"
#include "pg/connection.hpp"

namespace postrider::store {

struct alert_place {
    std::string target;         ///< its name
    std::string configuration;  ///< a fingerprint of the place; empty: none
};

/// Alerts that are raised from now on are to be sent there, too. `started`: this process has not
/// said so before. A target of another role that sends elsewhere stays as it is.
void add_alert_target(pg::connection& session, const alert_place& place, bool started);

/// Those of the places whose alerts this process may send: no sender has a newer configuration of
/// the same target, and the target does not belong to another role that sends elsewhere.
std::vector<alert_place> sendable_places(pg::connection& session,
                                         std::span<const alert_place> places);

struct claimed_alert {
    std::string target;  ///< where to send it
    uuid token;
    alert what;
};

/// Unsent alerts of several targets, at most `limit` of each, in one round trip. What is not
/// settled within `lease` is handed out again.
std::vector<claimed_alert> claim_alerts(pg::connection& session,
                                        std::span<const alert_place> places, int limit,
                                        std::chrono::milliseconds lease);

struct alert_result {
    std::string target;
    std::int64_t alert_id;
    uuid token;
    std::optional<std::string> problem;  ///< nothing: it was sent
};

/// Says what became of claimed alerts, of any targets.
void settle_alerts(pg::connection& session, std::span<const alert_result> results);

}  // namespace postrider::store
