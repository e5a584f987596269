#include "store/messages/copy_messages.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <postrider/error.hpp>

#include "store/messages/encode.hpp"

namespace postrider::store {
namespace {

using namespace std::string_view_literals;

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
    template <typename Integer>
    void integer(const std::optional<Integer>& value) {
        value ? integer(*value) : null();
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

struct column {
    const char* name;
    bool (*fills)(const new_message& message);  ///< whether the value differs from the default
    void (*write)(field_writer& out, const new_message& message, instant now);
};

constexpr auto always = [](const new_message&) { return true; };

template <auto Field>
constexpr auto is_set = [](const new_message& message) { return (message.*Field).has_value(); };

template <auto Field>
constexpr auto as_text =
    [](field_writer& out, const new_message& message, instant) { out.text(message.*Field); };

using row = new_message;

constexpr column columns[] = {
    {"event_type", always, as_text<&row::event_type>},
    {"payload", always, as_text<&row::payload>},
    {"source", always, as_text<&row::source>},
    {"channel", always, as_text<&row::channel>},
    {"id", always,
     [](field_writer& out, const row& message, instant) {
         out.id(message.id ? *message.id : uuid::time_ordered());
     }},
    {"event_version", always,
     [](field_writer& out, const row& message, instant) {
         out.integer(static_cast<std::int32_t>(message.event_version));
     }},
    {"occurred_at", always,
     [](field_writer& out, const row& message, instant now) {
         out.instant_at(message.occurred_at.value_or(now));
     }},
    {"target", is_set<&row::target>, as_text<&row::target>},
    {"workspace_id", is_set<&row::workspace_id>,
     [](field_writer& out, const row& message, instant) { out.id(message.workspace_id); }},
    {"idempotency_key", is_set<&row::idempotency_key>, as_text<&row::idempotency_key>},
    {"ordering_key", is_set<&row::ordering_key>, as_text<&row::ordering_key>},
    {"partition_key", is_set<&row::partition_key>, as_text<&row::partition_key>},
    {"headers", is_set<&row::headers>, as_text<&row::headers>},
    {"metadata", is_set<&row::metadata>,
     [](field_writer& out, const row& message, instant) { out.jsonb(message.metadata); }},
    {"trace_context", is_set<&row::trace_context>, as_text<&row::trace_context>},
    {"content_class", is_set<&row::content_class>, as_text<&row::content_class>},
    {"generation", is_set<&row::generation>,
     [](field_writer& out, const row& message, instant) { out.integer(message.generation); }},
    {"available_at", is_set<&row::available_at>,
     [](field_writer& out, const row& message, instant) { out.instant_at(message.available_at); }},
    {"priority", [](const row& message) { return message.priority != 0; },
     [](field_writer& out, const row& message, instant) {
         out.integer(small(message.priority, "priority"));
     }},
    {"max_attempts", is_set<&row::max_attempts>,
     [](field_writer& out, const row& message, instant) {
         out.integer(message.max_attempts
                         ? std::optional(small(*message.max_attempts, "max_attempts"))
                         : std::nullopt);
     }},
};
static_assert(std::size(columns) <= 32);

void append_header(std::string& to) { to.append("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0"sv); }

void append_rows(std::string& to, const copy_columns& filled,
                 std::span<const new_message> messages) {
    const auto now = std::chrono::system_clock::now();
    for (const auto& message : messages) {
        filled.append_row(to, message, now);
    }
}

void append_end(std::string& to) { field_writer(to).number(std::int16_t{-1}); }

std::string copy_statement(const std::string& names) {
    return "copy postrider.message (" + names + ") from stdin (format binary)";
}

}  // namespace

copy_columns::copy_columns() {
    const new_message plain;
    include({&plain, 1});
}

void copy_columns::include(std::span<const new_message> messages) {
    for (std::size_t i = 0; i < std::size(columns); ++i) {
        if (std::ranges::any_of(messages, columns[i].fills)) {
            chosen_ |= 1U << i;
        }
    }
}

std::string copy_columns::names() const {
    std::string all;
    for (std::size_t i = 0; i < std::size(columns); ++i) {
        if ((chosen_ >> i & 1U) != 0) {
            all += (all.empty() ? "" : ", ") + std::string(columns[i].name);
        }
    }
    return all;
}

void copy_columns::append_row(std::string& to, const new_message& message, instant now) const {
    field_writer out(to);
    out.number(static_cast<std::int16_t>(std::popcount(chosen_)));
    for (std::size_t i = 0; i < std::size(columns); ++i) {
        if ((chosen_ >> i & 1U) != 0) {
            columns[i].write(out, message, now);
        }
    }
}

copy_data copy_rows(std::span<const new_message> messages) {
    copy_columns filled;
    filled.include(messages);
    copy_data data{.columns = filled.names(), .rows = {}};
    append_header(data.rows);
    append_rows(data.rows, filled, messages);
    append_end(data.rows);
    return data;
}

std::int64_t copy_messages(pg::connection& session, std::span<const new_message> messages) {
    // Encoded first, so that a message that cannot be encoded leaves no open COPY.
    const auto data = copy_rows(messages);
    pg::copy_in copy(session, copy_statement(data.columns));
    copy.write(data.rows);
    return copy.finish();
}

message_copy::message_copy(pg::connection& session, const copy_columns& filled)
    : columns_(filled), copy_(session, copy_statement(columns_.names())) {
    append_header(buffer_);
}

void message_copy::write(std::span<const new_message> messages) {
    append_rows(buffer_, columns_, messages);
    copy_.write(buffer_);
    buffer_.clear();
}

std::int64_t message_copy::finish() {
    append_end(buffer_);
    copy_.write(buffer_);
    return copy_.finish();
}

}  // namespace postrider::store
