#pragma once

#include <string>
#include <vector>

#include "pg/connection.hpp"

namespace postrider::store {

/// Periodic maintenance, done by any worker; returns one line per action.
std::vector<std::string> maintain(pg::connection& session);

/// One slice of retention, at most `limit` rows per table; true when more rows may be due.
bool retention_run(pg::connection& session, int limit);

}  // namespace postrider::store
