#pragma once

#include <string>
#include <string_view>

#include "store/operate/dead_letters.hpp"

namespace postrider::store {

/// Where a message is, per consumer and handler.
listing job_places(pg::connection& session, std::string_view id);

/// Selects jobs that wait or run: a JSON object, sql/functions/cancel/cancel.sql.
using job_filter = std::string;

/// Cancels them, at most `limit`; lists them with the status that each had.
listing cancel(pg::connection& session, const job_filter& filter, int limit,
               const audit_entry& why);
/// Lists the jobs that cancel() would cancel.
listing cancel_preview(pg::connection& session, const job_filter& filter, int limit);

}  // namespace postrider::store
