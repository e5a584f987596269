#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/operate/operators.hpp"

namespace postrider::store {

/// limit: JSON, see sql/functions/limits/set_limit.sql. Returns created, changed or unchanged.
std::string set_limit(pg::connection& session, const consumer_name& of, std::string_view handler,
                      std::string_view limit, const audit_entry& why);
void remove_limit(pg::connection& session, const consumer_name& of, std::string_view handler,
                  const audit_entry& why);
/// The effect that a limit would have, or without one its removal; as a JSON object.
std::string limit_preview(pg::connection& session, const consumer_name& of,
                          std::string_view handler, const std::optional<std::string>& limit);
}  // namespace postrider::store
