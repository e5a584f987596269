#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/listing.hpp"

namespace postrider::store {

/// Which dead letters are meant: a JSON object, sql/functions/dead_letters/internal/dead_where.sql.
/// Instants in it are PostgreSQL's.
using dead_filter = std::string;

struct dead_letter_page {
    dead_filter filter = "{}";
    int limit = 50;
    std::optional<std::string> after = {};  ///< dead_at of the last one of the page before …
    std::optional<std::int64_t> after_delivery = {};  ///< … and its delivery
};

/// The newest first, without payloads.
listing dead_page(pg::connection& session, const dead_letter_page& page);
/// The same of those that were discarded.
listing discarded_page(pg::connection& session, const dead_letter_page& page);

/// Those that died of the same, counted; the largest group first. Empty text means any.
listing dead_letter_groups(pg::connection& session, std::string_view consumer,
                           std::string_view handler, int limit);

/// All there is to know about the dead letters of a message or about one delivery, payload
/// included.
listing dead_letters(pg::connection& session, std::string_view id);

/// The same for a program, without payload, headers and metadata.
listing dead_letter_details(pg::connection& session, std::string_view id);

/// The cycles of one delivery that ended before the present one, the oldest first.
listing cycles_of(pg::connection& session, std::string_view delivery);

/// Every handler's state of a message or of one delivery: to say why it is not among the dead.
listing deliveries_of(pg::connection& session, std::string_view id);

/// Who does something, and why; both go into the audit.
struct deed {
    std::string actor;
    std::string reason;
};

int discard(pg::connection& session, const dead_filter& filter, const deed& why);
int undo_discard(pg::connection& session, const dead_filter& filter, const deed& why);

struct edit {
    std::int64_t delivery;
    std::optional<std::string> payload = {};
    std::optional<std::string> headers = {};  ///< laid over those it has
};

/// Replaces a dead letter by a message with another payload or headers; gives the id of that one.
std::string edit_and_replay(pg::connection& session, const edit& change, const deed& why);

/// An instant as PostgreSQL writes it, from one or from a time ago: '2 hours', '90m', '3d'.
std::string instant_ago(pg::connection& session, std::string_view text);

}  // namespace postrider::store
