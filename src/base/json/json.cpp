#include "base/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace postrider {

void append_json_string(std::string& to, std::string_view text) {
    to += '"';
    while (true) {
        const auto* const odd = std::ranges::find_if(text, [](char c) {
            return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
        });
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
            fmt::format_to(std::back_inserter(to), "\\u{:04x}", static_cast<unsigned>(*odd));
        }
        text.remove_prefix(static_cast<std::size_t>(odd - text.begin()) + 1);
    }
    to += '"';
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
