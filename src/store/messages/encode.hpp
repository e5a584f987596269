#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/encoding/uuid.hpp"
#include "pg/params.hpp"
#include "store/messages/new_message.hpp"

namespace postrider::store {

/// Microseconds since 2000-01-01 UTC, PostgreSQL's own count.
std::int64_t postgres_time(instant when);
instant from_postgres_time(std::int64_t microseconds);

/// ISO 8601 in UTC, to the microsecond.
std::string timestamp_text(instant when);
std::string interval_text(std::chrono::milliseconds length);
std::string array_text(std::span<const std::int64_t> values);

void add(pg::params& to, const uuid& value);
void add(pg::params& to, const std::optional<uuid>& value);
void add(pg::params& to, const std::optional<instant>& value);
void add(pg::params& to, const std::optional<std::chrono::milliseconds>& value);
void add(pg::params& to, const std::optional<std::span<const std::int64_t>>& values);

}  // namespace postrider::store
