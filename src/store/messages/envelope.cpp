#include "store/messages/envelope.hpp"

#include "store/messages/encode.hpp"

namespace postrider::store {

envelope::envelope(const pg::result& rows, int row, int first) {
    for (int column = first; auto& field : fields_) {
        if (!rows.is_null(row, column)) {
            field = rows.text(row, column);
        }
        ++column;
    }
}

envelope::envelope(record_reader& fields) {
    if (fields.fields() == plain_message_fields) {
        using namespace std::string_view_literals;
        fields_[2] = "\0\0\0\1"sv;
        for (const auto field : std::initializer_list<std::size_t>{0, 1, 3, 4, 7}) {
            fields_[field] = fields.next();
        }
    } else {
        for (auto& field : fields_) {
            field = fields.next();
        }
    }
}

instant envelope::occurred_at() const { return from_postgres_time(read_integer(fields_[3])); }

std::optional<uuid> envelope::workspace_id() const {
    const auto bytes = optional(6);
    return bytes ? std::optional(uuid::from_bytes(*bytes)) : std::nullopt;
}

std::string envelope::idempotency_key() const {
    const auto key = optional(9);
    return key ? std::string(*key) : id().text();
}

std::optional<std::int64_t> envelope::generation() const {
    const auto bytes = optional(14);
    return bytes ? std::optional(read_integer(*bytes)) : std::nullopt;
}

std::optional<std::string_view> envelope::optional(std::size_t field) const {
    return fields_[field].data() == nullptr ? std::nullopt : std::optional(fields_[field]);
}

}  // namespace postrider::store
