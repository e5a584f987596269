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

/// The columns a COPY fills: those that every message fills, and of the others those that one of
/// the messages it was shown does. A column costs time even where it is null.
class copy_columns {
  public:
    copy_columns();
    void include(std::span<const new_message> messages);
    /// With commas between them.
    std::string names() const;
    void append_row(std::string& to, const new_message& message, instant now) const;

  private:
    std::uint32_t chosen_ = 0;
};

/// The same for messages that come piece by piece, all of which `filled` was shown before.
/// Abandoned unless finish() is reached.
class message_copy {
  public:
    message_copy(pg::connection& session, const copy_columns& filled);
    void write(std::span<const new_message> messages);
    /// Gives how many.
    std::int64_t finish();

  private:
    copy_columns columns_;
    pg::copy_in copy_;
    std::string buffer_;
};

/// What a binary COPY is sent, with header and end; for whoever sends the same bytes elsewhere.
struct copy_data {
    std::string columns;
    std::string rows;
};
copy_data copy_rows(std::span<const new_message> messages);

}  // namespace postrider::store
