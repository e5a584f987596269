#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/uuid.hpp"
#include "pg/result.hpp"
#include "store/new_message.hpp"

namespace postrider::store {

/// The envelope of a message in a binary result, read in place: texts live as long as the result.
class envelope {
  public:
    /// `first` is the column of the id; the others follow in the order of the functions below.
    envelope(const pg::result& rows, int row, int first) : rows_(&rows), row_(row), first_(first) {}

    uuid id() const { return uuid::from_bytes(text(0)); }
    std::string_view event_type() const { return text(1); }
    int event_version() const { return rows_->get<int>(row_, first_ + 2); }
    instant occurred_at() const;
    std::string_view source() const { return text(4); }
    std::optional<std::string_view> target() const { return optional_text(5); }
    std::optional<uuid> workspace_id() const;
    std::string_view payload() const { return json(7); }
    std::optional<std::string_view> headers() const;
    /// Nothing when the publisher gave none: then it is the id.
    std::optional<std::string_view> given_idempotency_key() const { return optional_text(9); }
    std::string idempotency_key() const;
    std::optional<std::string_view> ordering_key() const { return optional_text(10); }
    std::optional<std::string_view> partition_key() const { return optional_text(11); }
    std::optional<std::string_view> trace_context() const { return optional_text(12); }
    std::optional<std::string_view> content_class() const { return optional_text(13); }
    std::optional<std::int64_t> generation() const {
        return rows_->get<std::optional<std::int64_t>>(row_, first_ + 14);
    }

  private:
    std::string_view text(int offset) const { return rows_->text(row_, first_ + offset); }
    std::optional<std::string_view> optional_text(int offset) const;
    std::string_view json(int offset) const;

    const pg::result* rows_;
    int row_;
    int first_;
};

}  // namespace postrider::store
