#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "pg/connection.hpp"
#include "pg/copy_in.hpp"
#include "store/messages/new_message.hpp"

namespace postrider::store {

/// Appends any number of messages by a binary COPY, the fastest method; returns their number.
/// Missing ids and occurred_at are filled in here. It is one statement and therefore atomic.
std::int64_t copy_messages(pg::connection& session, std::span<const new_message> messages);

/// The columns of a COPY: the mandatory ones, and each optional column that at least one of the
/// observed messages fills. A column costs time even where it is null.
class copy_columns {
  public:
    copy_columns();
    void include(std::span<const new_message> messages);
    /// Separated by commas.
    std::string names() const;
    void append_row(std::string& to, const new_message& message, instant now) const;

  private:
    std::uint32_t chosen_ = 0;
};

/// The same for messages in several parts; `filled` has observed all of them. Without finish() the
/// COPY is aborted.
class message_copy {
  public:
    message_copy(pg::connection& session, const copy_columns& filled);
    void write(std::span<const new_message> messages);
    /// Returns the number of messages.
    std::int64_t finish();

  private:
    copy_columns columns_;
    pg::copy_in copy_;
    std::string buffer_;
};

/// The bytes of a binary COPY, with header and trailer, for a caller that sends them itself.
struct copy_data {
    std::string columns;
    std::string rows;
};
copy_data copy_rows(std::span<const new_message> messages);

}  // namespace postrider::store
