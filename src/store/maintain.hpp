#pragma once

#include <string>
#include <vector>

#include "pg/connection.hpp"

namespace postrider::store {

/// The housekeeping any worker does now and then; gives what was done, one line each.
std::vector<std::string> maintain(pg::connection& session);

}  // namespace postrider::store
