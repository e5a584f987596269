#include "base/json/json.hpp"

#include <algorithm>
#include <array>

#include "base/encoding/hex.hpp"

namespace postrider {
namespace {

constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

void append_control(std::string& to, char c) {
    const auto value = static_cast<unsigned char>(c);
    const std::array<char, 6> escape{
        '\\', 'u', '0', '0', hex_digits[value >> 4U], hex_digits[value & 15U]};
    to.append(escape.data(), escape.size());
}

}  // namespace

void append_json_string(std::string& to, std::string_view text) {
    to += '"';
    while (true) {
        const auto* const odd = std::ranges::find_if(
            text, [](char c) { return c == '"' || c == '\\' || is_control(c); });
        to.append(text.begin(), odd);
        if (odd == text.end()) {
            break;
        }
        if (*odd == '"' || *odd == '\\') {
            to += '\\';
            to += *odd;
        } else if (*odd == '\n') {
            to += "\\n";
        } else {
            append_control(to, *odd);
        }
        text.remove_prefix(static_cast<std::size_t>(odd - text.begin()) + 1);
    }
    to += '"';
}

std::size_t json_string_size(std::string_view text) {
    std::size_t size = 2 + text.size();
    for (const char c : text) {
        const bool is_short = c == '"' || c == '\\' || c == '\n';
        size += is_short ? 1 : is_control(c) ? 5 : 0;
    }
    return size;
}

std::string json_string(std::string_view text) {
    std::string quoted;
    append_json_string(quoted, text);
    return quoted;
}

std::string& json_object::begin_member(std::string_view name) {
    members_ += members_.empty() ? "" : ",";
    append_json_string(members_, name);
    members_ += ':';
    return members_;
}

json_object& json_object::add_raw(std::string_view name, std::string_view value) {
    begin_member(name) += value;
    return *this;
}

json_object& json_object::add_members(const json_object& of) {
    members_ += members_.empty() || of.members_.empty() ? "" : ",";
    members_ += of.members_;
    return *this;
}

json_array& json_array::add_raw(std::string_view value) {
    items_ += items_.empty() ? "" : ",";
    items_ += value;
    return *this;
}

}  // namespace postrider
