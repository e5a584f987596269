#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "pg/connection.hpp"
#include "pg/copy_in.hpp"
#include "store/new_message.hpp"

namespace postrider::store {

/// Appends any number of messages by a binary COPY, the fastest way in; gives how many. Ids and the
/// instant of occurrence are made here when they are not given. All of it is one statement: it
/// happens as a whole or not at all.
std::int64_t copy_messages(pg::connection& session, std::span<const new_message> messages);

/// The same for messages that come piece by piece. Abandoned unless finish() is reached.
class message_copy {
  public:
    explicit message_copy(pg::connection& session);
    void write(std::span<const new_message> messages);
    /// Gives how many.
    std::int64_t finish();

  private:
    pg::copy_in copy_;
    std::string buffer_;
};

/// The columns that copy_messages() fills, in order.
inline constexpr const char* copy_columns =
    "event_type, payload, source, target, channel, id, event_version, occurred_at, workspace_id,"
    " idempotency_key, ordering_key, partition_key, headers, metadata, trace_context,"
    " content_class, generation, available_at, priority, max_attempts";

/// The rows as a binary COPY wants them, with header and end; for whoever sends the same bytes
/// elsewhere.
std::string copy_rows(std::span<const new_message> messages);

}  // namespace postrider::store
