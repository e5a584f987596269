#include "client/received_event.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <utility>

#include "base/encoding/hex.hpp"
#include "base/json/check_json.hpp"
#include "base/json/json.hpp"
#include "base/json/json_members.hpp"

namespace postrider::client {
namespace {

using time_point = std::chrono::system_clock::time_point;

constexpr std::array<std::string_view, 11> attribute_names = {
    "specversion", "id",           "type",        "source",       "time", "idempotencykey",
    "orderingkey", "partitionkey", "workspaceid", "eventversion", "cycle"};

int number(std::string_view text, int otherwise) {
    int made = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), made);
    return made;
}

// RFC 3339; nothing when it is not one.
std::optional<time_point> read_time(const std::string& text) {
    std::tm parts{};
    const char* rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    if (rest == nullptr) {
        return std::nullopt;
    }
    std::chrono::microseconds fraction{0};
    if (*rest == '.') {
        std::int64_t unit = 100'000;
        for (++rest; *rest >= '0' && *rest <= '9'; ++rest, unit /= 10) {
            fraction += std::chrono::microseconds((*rest - '0') * unit);
        }
    }
    std::chrono::minutes offset{0};
    if (*rest == '+' || *rest == '-') {
        const std::string_view zone(rest + 1);
        if (zone.size() < 5) {
            return std::nullopt;
        }
        offset =
            std::chrono::minutes(60 * number(zone.substr(0, 2), 0) + number(zone.substr(3, 2), 0)) *
            (*rest == '+' ? 1 : -1);
    }
    // Nanoseconds since 1970 must fit into 64 bits.
    constexpr int first_year = 1700 - 1900;
    constexpr int last_year = 2250 - 1900;
    if (parts.tm_year < first_year || parts.tm_year > last_year) {
        return std::nullopt;
    }
    return std::chrono::system_clock::from_time_t(::timegm(&parts)) + fraction - offset;
}

std::string decoded(const std::string& text) {
    if (text.find('%') == std::string::npos) {
        return text;
    }
    std::string plain;
    const auto digit = [](char one) {
        return hex_digits.find(static_cast<char>(one >= 'A' && one <= 'F' ? one - 'A' + 'a' : one));
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool coded = text[at] == '%' && at + 2 < text.size() &&
                           digit(text[at + 1]) != std::string_view::npos &&
                           digit(text[at + 2]) != std::string_view::npos;
        plain +=
            coded ? static_cast<char>(digit(text[at + 1]) * 16 + digit(text[at + 2])) : text[at];
        at += coded ? 2 : 0;
    }
    return plain;
}

void append_base64(std::string& made, std::string_view bytes) {
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t three = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            three = (three << 8U) |
                    (at + i < bytes.size() ? static_cast<std::uint8_t>(bytes[at + i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            made += at + i > bytes.size() ? '=' : letters[(three >> (18 - 6 * i)) & 63U];
        }
    }
}

// A payload can have many megabytes, so it is moved and not copied.
std::string as_payload(std::string body) {
    if (body.empty()) {
        return "{}";
    }
    if (check_json(body).problem == nullptr) {
        return body;
    }
    std::string made = R"({"data_base64":")";
    made.reserve(made.size() + (body.size() + 2) / 3 * 4 + 2);
    append_base64(made, body);
    return made += "\"}";
}

const char* prefix_of(binding how) { return how == binding::http ? "ce-" : "ce_"; }

// A text that only begins as an object has members that cannot be read.
bool is_json_object(std::string_view text) {
    const auto found = check_json(text);
    return found.object && found.problem == nullptr;
}

// Attributes of both modes, by their names in CloudEvents.
void read_attributes(received_message& made, const header_value_of& attribute) {
    const auto text = [&](const char* name, auto& into) {
        if (auto value = attribute(name); value && !value->empty()) {
            into = std::move(*value);
        }
    };
    text("id", made.id);
    text("type", made.event_type);
    text("source", made.source);
    // A relay writes it where a message has no source.
    made.source = made.source == "postrider" ? "" : made.source;
    text("idempotencykey", made.idempotency_key);
    text("orderingkey", made.ordering_key);
    text("partitionkey", made.partition_key);
    text("workspaceid", made.workspace_id);
    made.event_version = number(attribute("eventversion").value_or(""), 1);
    made.cycle = number(attribute("cycle").value_or(""), 1);
    if (const auto when = read_time(attribute("time").value_or(""))) {
        made.occurred_at = *when;
    }
}

void read_structured(received_message& made, std::string_view body) {
    std::vector<std::string_view> names(attribute_names.begin(), attribute_names.end());
    names.insert(names.end(), {"traceparent", "data", "data_base64"});
    const auto members = json_members(body, names);
    const auto find = [&](const std::string& name) -> const json_member* {
        const auto found = std::ranges::find(members, name, &json_member::name);
        return found == members.end() ? nullptr : &*found;
    };
    read_attributes(made, [&](const std::string& name) -> std::optional<std::string> {
        const auto* found = find(name);
        if (found == nullptr) {
            return std::nullopt;
        }
        return found->value.starts_with('"') ? json_unquoted(found->value)
                                             : std::string(found->value);
    });
    if (const auto* trace = find("traceparent"); trace && trace->value.starts_with('"')) {
        made.trace_context = json_unquoted(trace->value);
    }
    if (const auto* data = find("data")) {
        made.payload = data->value;
    } else if (const auto* binary = find("data_base64")) {
        made.payload = json_object().add_raw("data_base64", binary->value).text();
    }
}

}  // namespace

time_point instant_of(std::int64_t milliseconds) {
    constexpr std::int64_t latest = 9'000'000'000'000;  // in 2255; nanoseconds fit into 64 bits
    return milliseconds < 0 || milliseconds > latest
               ? std::chrono::system_clock::now()
               : time_point(std::chrono::milliseconds(milliseconds));
}

std::vector<std::string> header_names(binding how) {
    std::vector<std::string> names = {"content-type", "traceparent", "postrider-headers"};
    for (const auto attribute : attribute_names) {
        names.push_back(std::string(prefix_of(how)).append(attribute));
    }
    return names;
}

received_message read_event(received_message made, const header_value_of& header, std::string body,
                            binding how) {
    const auto value = [&](const std::string& name) -> std::optional<std::string> {
        auto found = header(name);
        return found && how == binding::http ? decoded(*found) : found;
    };
    if (header("content-type").value_or("").starts_with("application/cloudevents+json") &&
        is_json_object(body)) {
        read_structured(made, body);
        return made;
    }
    made.payload = as_payload(std::move(body));
    const std::string prefix = prefix_of(how);
    if (header(prefix + "specversion")) {
        read_attributes(made, [&](const std::string& name) { return value(prefix + name); });
    }
    made.trace_context = value("traceparent");
    if (auto headers = value("postrider-headers"); headers && is_json_object(*headers)) {
        made.headers = std::move(headers);
    }
    return made;
}

}  // namespace postrider::client
