#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/listing.hpp"

namespace postrider::store {

/// Selects dead letters: a JSON object, sql/functions/dead_letters/internal/dead_where.sql.
/// Instants have the format of PostgreSQL.
using dead_filter = std::string;

struct dead_letter_page {
    dead_filter filter = "{}";
    int limit = 50;
    std::optional<std::string> after = {};  ///< dead_at of the last row of the previous page …
    std::optional<std::int64_t> after_delivery = {};  ///< … and its delivery_id
};

/// Dead letters without payloads, newest first.
listing dead_page(pg::connection& session, const dead_letter_page& page);
/// Discarded dead letters, newest first.
listing discarded_page(pg::connection& session, const dead_letter_page& page);

/// Groups of dead letters with the same fingerprint, largest first. Empty text means any.
listing dead_letter_groups(pg::connection& session, std::string_view consumer,
                           std::string_view handler, int limit);

/// All columns, with the payload, of the dead letters of a message or of one delivery.
listing dead_letters(pg::connection& session, std::string_view id);

/// The same without payload, headers and metadata.
listing dead_letter_details(pg::connection& session, std::string_view id);

/// The earlier cycles of one delivery, oldest first.
listing cycles_of(pg::connection& session, std::string_view delivery);

/// The state of a message per handler, or of one delivery: explains why it is not a dead letter.
listing deliveries_of(pg::connection& session, std::string_view id);

/// Actor and reason of a change, as the audit records them.
struct audit_entry {
    std::string actor;
    std::string reason;
};

int discard(pg::connection& session, const dead_filter& filter, const audit_entry& why);
int restore(pg::connection& session, const dead_filter& filter, const audit_entry& why);

struct edit {
    std::int64_t delivery;
    std::optional<std::string> payload = {};
    std::optional<std::string> headers = {};  ///< merged over the existing headers
};

/// Replaces a dead letter by a message with another payload or headers; returns the new id.
std::string edit_and_replay(pg::connection& session, const edit& change, const audit_entry& why);

/// An instant in the format of PostgreSQL, from an instant or an age: '2 hours', '90m', '3d'.
std::string instant_ago(pg::connection& session, std::string_view text);

}  // namespace postrider::store
