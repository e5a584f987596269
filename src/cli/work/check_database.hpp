#pragma once

#include <string>

#include "cli/database.hpp"

namespace postrider::cli {

/// Refuses an unsupported schema and another deployment before a worker starts. A worker waits for
/// an unavailable database, which makes no sense with --once.
void check_database(const open_database& database, const std::string& deployment, bool once);

}  // namespace postrider::cli
