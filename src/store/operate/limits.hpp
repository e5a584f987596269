#pragma once

#include <string>
#include <string_view>

#include "store/operate/operators.hpp"

namespace postrider::store {

/// limit: JSON, see sql/functions/limits/set_limit.sql. Returns created, changed or unchanged.
std::string set_limit(pg::connection& session, const consumer_name& of, std::string_view handler,
                      std::string_view limit, const audit_entry& why);
void remove_limit(pg::connection& session, const consumer_name& of, std::string_view handler,
                  const audit_entry& why);
}  // namespace postrider::store
