#pragma once

#include <cstdint>
#include <postrider/executor.hpp>
#include <postrider/export.hpp>
#include <postrider/message.hpp>
#include <span>
#include <string>

namespace postrider {

/// Publishes in the caller's own transaction: nothing is visible before the caller commits, and
/// what is rolled back never happened. Gives the message's id. Names, sizes and ids are checked
/// before the server sees anything (usage_error).
POSTRIDER_EXPORT std::string publish(executor& within, const message& what);
/// On a libpq connection that belongs to the caller, whose transaction it is. Without one the call
/// commits by itself, and a connection lost meanwhile is a commit_unknown_error.
POSTRIDER_EXPORT std::string publish(pg_conn* within, const message& what);

/// Any number of messages, all or none; gives how many. By COPY where the executor has a libpq
/// connection, which is the fastest way in.
POSTRIDER_EXPORT std::int64_t publish_many(executor& within, std::span<const message> what);
POSTRIDER_EXPORT std::int64_t publish_many(pg_conn* within, std::span<const message> what);

}  // namespace postrider
