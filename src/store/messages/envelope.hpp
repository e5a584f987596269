#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/encoding/uuid.hpp"
#include "pg/result.hpp"
#include "store/messages/new_message.hpp"
#include "store/reads/record.hpp"

namespace postrider::store {

/// Fields of a packed message, its seq included, as postrider.packed() makes them.
inline constexpr int plain_message_fields = 6;
inline constexpr int message_fields = 17;

/// The envelope of a message in a binary result, read in place: texts live as long as the result.
class envelope {
  public:
    /// A delivery: `first` is the column of the id; the others follow in the order below.
    envelope(const pg::result& rows, int row, int first);
    /// A packed message: the id is the next field; the others follow in the same order. A plain
    /// message has the mandatory fields only, without its version, which is 1. max_attempts, the
    /// last field of any other, is left to the caller.
    explicit envelope(record_reader& fields);

    uuid id() const { return uuid::from_bytes(fields_[0]); }
    std::string_view event_type() const { return fields_[1]; }
    int event_version() const { return static_cast<int>(read_integer(fields_[2])); }
    instant occurred_at() const;
    std::string_view source() const { return fields_[4]; }
    std::optional<std::string_view> target() const { return optional(5); }
    std::optional<uuid> workspace_id() const;
    std::string_view payload() const { return fields_[7]; }
    std::optional<std::string_view> headers() const { return optional(8); }
    /// The id when the producer set no key.
    std::string idempotency_key() const;
    /// Empty when the producer set no key.
    std::optional<std::string_view> given_idempotency_key() const { return optional(9); }
    std::optional<std::string_view> ordering_key() const { return optional(10); }
    std::optional<std::string_view> partition_key() const { return optional(11); }
    std::optional<std::string_view> trace_context() const { return optional(12); }
    std::optional<std::string_view> content_class() const { return optional(13); }
    std::optional<std::int64_t> generation() const;

  private:
    std::optional<std::string_view> optional(std::size_t field) const;

    // In the binary form of their types; data() is null where the field is.
    std::array<std::string_view, 15> fields_;
};

}  // namespace postrider::store
