#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/operate/dead_letters.hpp"

// Queries of the HTTP API beyond the lists of views, with ids as text.
namespace postrider::store {

struct handler_name {
    std::string consumer;
    std::string channel;
    std::string handler;
};

/// Groups of dead letters with the same fingerprint and the times of their newest members.
listing dead_groups(pg::connection& session, std::string_view consumer, std::string_view handler,
                    const read_access& access, const page_request& page);
/// filter: sql/functions/surface/message_page.sql.
listing messages(pg::connection& session, const std::string& filter, const page_request& page);
listing deliveries(pg::connection& session, std::string_view consumer, std::string_view handler,
                   std::string_view status, const read_access& access, const page_request& page);
/// Targets and event types that match nothing.
listing unmatched(pg::connection& session);

// One JSON object each; throw message_not_found when it does not exist or is not visible.
std::string message_json(pg::connection& session, const read_access& access, const std::string& id);
std::string dead_letter_json(pg::connection& session, const read_access& access,
                             std::int64_t delivery);
std::string replay_json(pg::connection& session, const read_access& access, std::int64_t replay);
/// One handler with its history; span: hour, day or week.
std::string handler_json(pg::connection& session, const read_access& access,
                         const handler_name& handler, const std::string& span);
/// Runs over time, of all handlers of these names; an empty name means any.
std::string run_history_json(pg::connection& session, const handler_name& handler,
                             const std::string& span);
struct group_name {
    handler_name of;
    std::string fingerprint;
};
/// One group of dead letters with its deaths over time.
std::string group_json(pg::connection& session, const read_access& access, const group_name& group,
                       const std::string& span);
/// The values that the payloads of its newest members have in common.
std::string group_fields(pg::connection& session, const group_name& group, const audit_entry& why);
/// Throws message_not_found when the replay does not exist or is not visible.
void require_replay(pg::connection& session, const read_access& access, std::int64_t replay);
/// `all`: counts all rows, at any cost. Otherwise counts without a ledger cover the newest rows
/// only.
std::string preview_json(pg::connection& session, const dead_filter& filter, bool all);

/// Payload, headers and metadata of a message, or of a dead letter.
std::string reveal(pg::connection& session, const read_access& access,
                   const std::optional<std::string>& message,
                   const std::optional<std::int64_t>& delivery, const audit_entry& why);

}  // namespace postrider::store
