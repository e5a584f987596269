#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/dead_letters.hpp"

// What the operator's surface shows over HTTP: rows as JSON objects with ids as strings, page by
// page.
namespace postrider::store {

/// Who looks. Columns follow the grants of the database: who may not see error texts sees what
/// postrider_viewer may.
struct looker {
    bool error_texts = false;
    bool before_and_after = false;  ///< of the audit; they can hold payloads
    /// The only one that is shown. What can only be counted over all of them is left out.
    std::optional<std::string> workspace = {};
};

struct page_request {
    int limit = 50;
    std::vector<std::string> after = {};  ///< `next` of the page before
};

struct json_page {
    std::string rows;               ///< a JSON array
    std::vector<std::string> next;  ///< empty when this was the last page
    /// Set when the search stopped here, having looked at enough; `next` goes on from there.
    std::optional<std::string> searched_to = {};
};

json_page consumer_rows(pg::connection& session, const looker& who, const page_request& page,
                        std::string_view consumer);
json_page handler_rows(pg::connection& session, const looker& who, const page_request& page,
                       std::string_view consumer, std::string_view handler);
json_page lease_rows(pg::connection& session, const page_request& page, std::string_view consumer);
json_page worker_rows(pg::connection& session, const page_request& page, std::string_view consumer,
                      bool all);
json_page alert_rows(pg::connection& session, const looker& who, const page_request& page,
                     bool unsent);
json_page audit_rows(pg::connection& session, const looker& who, const page_request& page,
                     std::string_view actor, std::string_view action);
json_page replay_rows(pg::connection& session, const looker& who, const page_request& page,
                      bool active);
json_page replay_item_rows(pg::connection& session, const page_request& page, std::int64_t replay,
                           std::string_view outcome);
json_page retention_rows(pg::connection& session);
json_page unmatched_rows(pg::connection& session);
json_page setting_rows(pg::connection& session);

json_page dead_rows(pg::connection& session, const looker& who, const page_request& page,
                    const dead_filter& filter);
json_page discarded_rows(pg::connection& session, const looker& who, const page_request& page,
                         const dead_filter& filter);
json_page dead_group_rows(pg::connection& session, const looker& who, const page_request& page,
                          std::string_view consumer, std::string_view handler);
/// filter: sql/functions/surface/message_page.sql.
json_page message_rows(pg::connection& session, const page_request& page,
                       const std::string& filter);
json_page delivery_rows(pg::connection& session, const looker& who, const page_request& page,
                        std::string_view consumer, std::string_view handler,
                        std::string_view status);

// One thing each, as a JSON object; they throw message_not_found when it is not there to be seen.
std::string message_json(pg::connection& session, const looker& who, const std::string& id);
std::string dead_letter_json(pg::connection& session, const looker& who, std::int64_t delivery);
std::string replay_json(pg::connection& session, const looker& who, std::int64_t replay);
/// Throws the same when there is no such replay to be seen.
void require_replay(pg::connection& session, const looker& who, std::int64_t replay);
/// `all`: however long it takes. Without it, numbers that no ledger has are of the newest ones.
std::string preview_json(pg::connection& session, const dead_filter& filter, bool all);

/// Payload, headers and metadata of a message, or of a dead letter when one is given.
std::string reveal(pg::connection& session, const looker& who,
                   const std::optional<std::string>& message,
                   const std::optional<std::int64_t>& delivery, const deed& why);

/// edit_and_replay() with "payload" and "headers" of `change`, a JSON object, taken as they are.
std::string edit_with(pg::connection& session, std::int64_t delivery, std::string_view change,
                      const deed& why);

}  // namespace postrider::store
