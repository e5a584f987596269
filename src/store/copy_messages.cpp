#include "store/copy_messages.hpp"

#include <limits>
#include <postrider/error.hpp>

#include "store/encode.hpp"

namespace postrider::store {
namespace {

using namespace std::string_view_literals;

constexpr std::int16_t column_count = 20;

/// Writes the fields of a binary COPY: a length, or -1 for null, and the value in network order.
class field_writer {
  public:
    explicit field_writer(std::string& to) : to_(to) {}

    template <typename Integer>
    void number(Integer value) {
        auto bits = static_cast<std::uint64_t>(value);
        char bytes[sizeof value];
        for (std::size_t i = sizeof value; i-- > 0;) {
            bytes[i] = static_cast<char>(bits & 0xffU);
            bits >>= 8U;
        }
        to_.append(bytes, sizeof value);
    }
    void null() { number(std::int32_t{-1}); }
    void text(std::string_view value) {
        if (value.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max() - 1)) {
            throw usage_error(errc::too_large, "a field of a message is larger than 2 GB");
        }
        number(static_cast<std::int32_t>(value.size()));
        to_.append(value);
    }
    // The binary form of jsonb is its text behind a version number; that of json is its text.
    void jsonb(std::string_view value) {
        number(static_cast<std::int32_t>(value.size() + 1));
        to_ += '\1';
        to_.append(value);
    }
    template <typename Integer>
    void integer(Integer value) {
        number(static_cast<std::int32_t>(sizeof value));
        number(value);
    }
    void instant_at(instant when) { integer(postgres_time(when)); }

    void text(const std::optional<std::string_view>& value) { value ? text(*value) : null(); }
    void jsonb(const std::optional<std::string_view>& value) { value ? jsonb(*value) : null(); }
    void id(const std::optional<uuid>& value) { value ? text(value->as_bytes()) : null(); }
    void instant_at(const std::optional<instant>& when) { when ? instant_at(*when) : null(); }

  private:
    std::string& to_;
};

std::int16_t small(int value, const char* name) {
    const auto converted = static_cast<std::int16_t>(value);
    if (converted != value) {
        throw usage_error(std::string(name) + " must be between -32768 and 32767");
    }
    return converted;
}

void write_row(field_writer& out, const new_message& message, instant now) {
    out.number(column_count);
    out.text(message.event_type);
    out.text(message.payload);
    out.text(message.source);
    out.text(message.target);
    out.text(message.channel);
    out.id(message.id ? *message.id : uuid::time_ordered());
    out.integer(static_cast<std::int32_t>(message.event_version));
    out.instant_at(message.occurred_at.value_or(now));
    out.id(message.workspace_id);
    out.text(message.idempotency_key);
    out.text(message.ordering_key);
    out.text(message.partition_key);
    out.text(message.headers);
    out.jsonb(message.metadata);
    out.text(message.trace_context);
    out.text(message.content_class);
    if (message.generation) {
        out.integer(*message.generation);
    } else {
        out.null();
    }
    out.instant_at(message.available_at);
    out.integer(small(message.priority, "priority"));
    if (message.max_attempts) {
        out.integer(small(*message.max_attempts, "max_attempts"));
    } else {
        out.null();
    }
}

void append_header(std::string& to) { to.append("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0"sv); }

void append_rows(std::string& to, std::span<const new_message> messages) {
    field_writer out(to);
    const auto now = std::chrono::system_clock::now();
    for (const auto& message : messages) {
        write_row(out, message, now);
    }
}

void append_end(std::string& to) { field_writer(to).number(std::int16_t{-1}); }

std::string copy_statement() {
    return std::string("copy postrider.message (") + copy_columns + ") from stdin (format binary)";
}

}  // namespace

std::string copy_rows(std::span<const new_message> messages) {
    std::string rows;
    append_header(rows);
    append_rows(rows, messages);
    append_end(rows);
    return rows;
}

std::int64_t copy_messages(pg::connection& session, std::span<const new_message> messages) {
    // Made first, so that a message that cannot be written leaves no half-open COPY behind.
    const auto rows = copy_rows(messages);
    pg::copy_in copy(session, copy_statement());
    copy.write(rows);
    return copy.finish();
}

message_copy::message_copy(pg::connection& session) : copy_(session, copy_statement()) {
    append_header(buffer_);
}

void message_copy::write(std::span<const new_message> messages) {
    append_rows(buffer_, messages);
    copy_.write(buffer_);
    buffer_.clear();
}

std::int64_t message_copy::finish() {
    append_end(buffer_);
    copy_.write(buffer_);
    return copy_.finish();
}

}  // namespace postrider::store
