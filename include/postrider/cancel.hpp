#pragma once

#include <cstdint>
#include <optional>
#include <postrider/executor.hpp>
#include <postrider/export.hpp>
#include <string>
#include <vector>

namespace postrider {

/// Jobs that wait or run: all conditions must hold. `ids`, `unique_key` or `consumer` is required.
struct job_filter {
    std::vector<std::string> ids = {};  ///< of messages, at most 1000; each must wait or run
    std::optional<std::string> unique_key = {};
    std::optional<std::string> consumer = {};
    std::optional<std::string> channel = {};
    std::optional<std::string> handler = {};
    std::optional<std::string> event_type = {};
    std::optional<std::string> workspace_id = {};
};

/// The entry of a change in the audit. Both are required.
struct audit_note {
    std::string actor = {};   ///< person or program that makes the change
    std::string reason = {};  ///< why
};

/// Cancels jobs in the caller's own transaction, at most 1000 of them, the oldest first; returns
/// their number. A waiting job never runs. A running job's stop token is signalled at the next
/// heartbeat of its worker, and its outcome is ignored. The unique keys of the jobs become free.
/// Commit soon: workers of the consumer cannot claim until the transaction ends. The session's role
/// must be an operator or own the consumer.
///
///   cancel(tx, {.unique_key = "export:7", .consumer = "exports"}, {"jane", "not wanted"});
POSTRIDER_EXPORT std::int64_t cancel(executor& within, const job_filter& which,
                                     const audit_note& why);

}  // namespace postrider
