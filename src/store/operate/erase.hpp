#pragma once

#include <cstdint>
#include <string>

#include "store/operate/dead_letters.hpp"

namespace postrider::store {

/// The result of erase().
struct erased {
    std::int64_t messages = 0;
    std::int64_t deliveries = 0;
    std::int64_t jobs = 0;  ///< that wait or run
};
/// Erases the content of messages; filter: sql/functions/erase/internal/erase.sql.
erased erase(pg::connection& session, const std::string& filter, bool dry_run,
             const audit_entry& why);

}  // namespace postrider::store
