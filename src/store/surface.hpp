#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/dead_letters.hpp"

// Queries of the HTTP API: pages of rows as JSON objects, with ids as strings.
namespace postrider::store {

/// Read permissions of the caller. Without `error_texts`, only columns that postrider_viewer may
/// read are returned.
struct read_access {
    bool error_texts = false;
    bool before_and_after = false;  ///< columns of the audit, which can hold payloads
    /// Restricts rows to one workspace; counts over all workspaces are left out.
    std::optional<std::string> workspace = {};
};

struct page_request {
    int limit = 50;
    std::vector<std::string> after = {};  ///< `next` of the previous page
};

struct json_page {
    std::string rows;               ///< a JSON array
    std::vector<std::string> next;  ///< empty when this was the last page
    /// Set when the search reached its scan limit here; `next` continues from there.
    std::optional<std::string> searched_to = {};
};

json_page consumer_rows(pg::connection& session, const read_access& access,
                        const page_request& page, std::string_view consumer);
json_page handler_rows(pg::connection& session, const read_access& access, const page_request& page,
                       std::string_view consumer, std::string_view handler);
json_page lease_rows(pg::connection& session, const page_request& page, std::string_view consumer);
json_page worker_rows(pg::connection& session, const page_request& page, std::string_view consumer,
                      bool all);
json_page alert_rows(pg::connection& session, const read_access& access, const page_request& page,
                     bool unsent);
json_page audit_rows(pg::connection& session, const read_access& access, const page_request& page,
                     std::string_view actor, std::string_view action);
json_page replay_rows(pg::connection& session, const read_access& access, const page_request& page,
                      bool active);
json_page replay_item_rows(pg::connection& session, const page_request& page, std::int64_t replay,
                           std::string_view outcome);
json_page retention_rows(pg::connection& session);
json_page unmatched_rows(pg::connection& session);
json_page setting_rows(pg::connection& session);

json_page dead_rows(pg::connection& session, const read_access& access, const page_request& page,
                    const dead_filter& filter);
json_page discarded_rows(pg::connection& session, const read_access& access,
                         const page_request& page, const dead_filter& filter);
json_page dead_group_rows(pg::connection& session, const read_access& access,
                          const page_request& page, std::string_view consumer,
                          std::string_view handler);
/// filter: sql/functions/surface/message_page.sql.
json_page message_rows(pg::connection& session, const page_request& page,
                       const std::string& filter);
json_page delivery_rows(pg::connection& session, const read_access& access,
                        const page_request& page, std::string_view consumer,
                        std::string_view handler, std::string_view status);

// One JSON object each; throw message_not_found when it does not exist or is not visible.
std::string message_json(pg::connection& session, const read_access& access, const std::string& id);
std::string dead_letter_json(pg::connection& session, const read_access& access,
                             std::int64_t delivery);
std::string replay_json(pg::connection& session, const read_access& access, std::int64_t replay);
/// Throws message_not_found when the replay does not exist or is not visible.
void require_replay(pg::connection& session, const read_access& access, std::int64_t replay);
/// `all`: counts all rows, at any cost. Otherwise counts without a ledger cover the newest rows
/// only.
std::string preview_json(pg::connection& session, const dead_filter& filter, bool all);

/// Payload, headers and metadata of a message, or of a dead letter.
std::string reveal(pg::connection& session, const read_access& access,
                   const std::optional<std::string>& message,
                   const std::optional<std::int64_t>& delivery, const audit_entry& why);

/// edit_and_replay() with "payload" and "headers" of `change`, a JSON object, unmodified.
std::string edit_with(pg::connection& session, std::int64_t delivery, std::string_view change,
                      const audit_entry& why);

}  // namespace postrider::store
