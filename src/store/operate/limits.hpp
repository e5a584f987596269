#pragma once

#include <string>
#include <string_view>

#include "store/operate/operators.hpp"
#include "store/reads/listing.hpp"

namespace postrider::store {

/// limit: JSON, see sql/functions/limits/set_limit.sql. Returns created, changed or unchanged.
std::string set_limit(pg::connection& session, const consumer_name& of, std::string_view handler,
                      std::string_view limit, const audit_entry& why);
void remove_limit(pg::connection& session, const consumer_name& of, std::string_view handler,
                  const audit_entry& why);
/// The limits of handlers, and how many messages they throttle; of one consumer unless it is empty.
listing limits(pg::connection& session, std::string_view consumer);

}  // namespace postrider::store
