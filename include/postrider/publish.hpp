#pragma once

#include <cstdint>
#include <postrider/executor.hpp>
#include <postrider/export.hpp>
#include <postrider/message.hpp>
#include <span>
#include <string>

namespace postrider {

/// Publishes in the caller's own transaction: nothing is visible before the caller commits, and
/// a rollback undoes it. Returns the message's id. Names, sizes and ids are checked
/// before the server sees anything (usage_error).
POSTRIDER_EXPORT std::string publish(executor& within, const message& input);
/// On a libpq connection that belongs to the caller, whose transaction it is. Without one the call
/// commits by itself, and a connection lost meanwhile is a commit_unknown_error.
POSTRIDER_EXPORT std::string publish(pg_conn* within, const message& input);

/// Publishes any number of messages, all or none; returns their number. Uses COPY, the fastest way
/// to publish, if the executor has a libpq connection.
POSTRIDER_EXPORT std::int64_t publish_many(executor& within, std::span<const message> messages);
POSTRIDER_EXPORT std::int64_t publish_many(pg_conn* within, std::span<const message> messages);

}  // namespace postrider
