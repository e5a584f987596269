#include "store/envelope.hpp"

#include "store/encode.hpp"

namespace postrider::store {

instant envelope::occurred_at() const {
    return from_postgres_time(rows_->get<std::int64_t>(row_, first_ + 3));
}

std::optional<uuid> envelope::workspace_id() const {
    const auto bytes = optional_text(6);
    return bytes ? std::optional(uuid::from_bytes(*bytes)) : std::nullopt;
}

std::optional<std::string_view> envelope::headers() const {
    return rows_->is_null(row_, first_ + 8) ? std::nullopt : std::optional(json(8));
}

std::string envelope::idempotency_key() const {
    const auto given = optional_text(9);
    return given ? std::string(*given) : id().text();
}

std::optional<std::string_view> envelope::optional_text(int offset) const {
    return rows_->is_null(row_, first_ + offset) ? std::nullopt : std::optional(text(offset));
}

// The binary form of jsonb is its text behind a version number.
std::string_view envelope::json(int offset) const {
    auto value = text(offset);
    value.remove_prefix(value.empty() ? 0 : 1);
    return value;
}

}  // namespace postrider::store
