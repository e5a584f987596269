#pragma once

#include <cstdint>

#include "pg/connection.hpp"

namespace postrider::bench {

/// Dead row versions of all tables. A session reports its counts when it ends, so this waits for
/// the end of all others.
std::int64_t rewritten_rows(pg::connection& session);

}  // namespace postrider::bench
