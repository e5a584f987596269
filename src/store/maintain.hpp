#pragma once

#include <string>
#include <vector>

#include "pg/connection.hpp"

namespace postrider::store {

/// The housekeeping any worker does now and then; gives what was done, one line each.
std::vector<std::string> maintain(pg::connection& session);

/// One slice of retention, `limit` rows of each table at most; true when there may be more.
bool retention_run(pg::connection& session, int limit);

}  // namespace postrider::store
