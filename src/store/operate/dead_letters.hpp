#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/reads/listing.hpp"

namespace postrider::store {

/// Selects dead letters: a JSON object, sql/functions/dead_letters/internal/dead_where.sql.
/// Instants have the format of PostgreSQL.
using dead_filter = std::string;

/// Dead letters without payloads, newest first. bounded: a search without an index stops at its
/// scan limit.
listing dead_page(pg::connection& session, const dead_filter& filter, const page_request& page,
                  const read_access& access = {}, bool bounded = false);
/// Discarded dead letters, newest first.
listing discarded_page(pg::connection& session, const dead_filter& filter, const page_request& page,
                       const read_access& access = {});
/// The place behind a dead letter, for page_request.
std::string dead_place(std::string_view dead_at, std::int64_t delivery);

/// All columns, with the payload, of the dead letters of a message or of one delivery.
listing dead_letters(pg::connection& session, std::string_view id);

/// The same without payload, headers and metadata.
listing dead_letter_details(pg::connection& session, std::string_view id);

/// The earlier cycles of one delivery, oldest first.
listing cycles_of(pg::connection& session, std::string_view delivery);

/// Actor and reason of a change, as the audit records them.
struct audit_entry {
    std::string actor;
    std::string reason;
};

/// The number of dead letters that a caller has seen; a change of more is refused. Empty: any.
using expected_count = std::optional<std::int64_t>;

int discard(pg::connection& session, const dead_filter& filter, const audit_entry& why,
            expected_count expected = {});
int restore(pg::connection& session, const dead_filter& filter, const audit_entry& why,
            expected_count expected = {});

/// Replaces a dead letter by a message with the members "payload" and "headers" of `change`, a JSON
/// object; headers are merged over the existing ones. Returns the new id.
std::string edit_with(pg::connection& session, std::int64_t delivery, std::string_view change,
                      const audit_entry& why);

/// An instant in the format of PostgreSQL, from an instant or an age: '2 hours', '90m', '3d'.
std::string instant_ago(pg::connection& session, std::string_view text);

}  // namespace postrider::store
