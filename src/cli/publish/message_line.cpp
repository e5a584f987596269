#include "cli/publish/message_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <postrider/error.hpp>

#include "base/json/check_json.hpp"
#include "base/json/json_members.hpp"
#include "cli/output/times.hpp"
#include "client/publish/check_message.hpp"

namespace postrider::cli {
namespace {

[[noreturn]] void refuse(const json_member& member, const char* expected) {
    throw usage_error(member.name + " must be " + expected);
}

std::string text_in(const json_member& member) {
    if (member.value.front() != '"') {
        refuse(member, "a string");
    }
    return json_unquoted(member.value);
}

template <typename Number>
Number number_in(const json_member& member) {
    Number value = 0;
    const auto* end = member.value.data() + member.value.size();
    const auto result = std::from_chars(member.value.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end) {
        refuse(member, "a whole number");
    }
    return value;
}

void set(std::string& field, const json_member& member) { field = text_in(member); }
void set(std::optional<std::string>& field, const json_member& member) { field = text_in(member); }
void set(int& field, const json_member& member) { field = number_in<int>(member); }
void set(std::optional<int>& field, const json_member& member) { field = number_in<int>(member); }
void set(std::optional<std::int64_t>& field, const json_member& member) {
    field = number_in<std::int64_t>(member);
}
void set(std::optional<std::chrono::system_clock::time_point>& field, const json_member& member) {
    field = parse_instant(text_in(member), member.name);
}

template <auto Field>
void assign(message& to, const json_member& member) {
    set(to.*Field, member);
}
template <auto Field>
void pass_on(message& to, const json_member& member) {
    to.*Field = std::string(member.value);
}

struct field {
    std::string_view name;
    void (*assign)(message&, const json_member&);
};

constexpr std::array<field, 20> fields{{
    {"event_type", assign<&message::event_type>},
    {"payload", pass_on<&message::payload>},
    {"source", assign<&message::source>},
    {"target", assign<&message::target>},
    {"id", assign<&message::id>},
    {"event_version", assign<&message::event_version>},
    {"occurred_at", assign<&message::occurred_at>},
    {"workspace_id", assign<&message::workspace_id>},
    {"idempotency_key", assign<&message::idempotency_key>},
    {"ordering_key", assign<&message::ordering_key>},
    {"partition_key", assign<&message::partition_key>},
    {"headers", pass_on<&message::headers>},
    {"metadata", pass_on<&message::metadata>},
    {"trace_context", assign<&message::trace_context>},
    {"content_class", assign<&message::content_class>},
    {"generation", assign<&message::generation>},
    {"channel", assign<&message::channel>},
    {"available_at", assign<&message::available_at>},
    {"priority", assign<&message::priority>},
    {"max_attempts", assign<&message::max_attempts>},
}};

void apply(message& to, const json_member& member) {
    const auto* found = std::ranges::find(fields, member.name, &field::name);
    if (found == fields.end()) {
        std::string known;
        for (const auto& one : fields) {
            known += (known.empty() ? "" : ", ") + std::string(one.name);
        }
        throw usage_error("'" + member.name + "' is not a field of a message; known: " + known);
    }
    // null means absent, except for the payload.
    if (member.value != "null" || member.name == "payload") {
        found->assign(to, member);
    }
}

}  // namespace

message message_from_line(std::string_view line, const message& defaults) {
    const auto checked = check_json(line);
    if (checked.problem != nullptr) {
        throw usage_error("not JSON that PostgreSQL can store, at byte " +
                          std::to_string(checked.at) + ": " + checked.problem);
    }
    if (!checked.object) {
        throw usage_error(
            R"(a line is one JSON object, for example {"event_type": "user.created"})");
    }
    message made = defaults;
    for (const auto& member : json_members(line)) {
        apply(made, member);
    }
    client::check_message(made, "publish");
    return made;
}

}  // namespace postrider::cli
