#include "base/json.hpp"

#include <fmt/core.h>

namespace postrider {

std::string json_string(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (c == '\n') {
            quoted += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            quoted += c;
        }
    }
    quoted += '"';
    return quoted;
}

json_object& json_object::add_raw(std::string_view name, std::string_view value) {
    members_ += members_.empty() ? "" : ",";
    members_ += json_string(name);
    members_ += ':';
    members_ += value;
    return *this;
}

json_array& json_array::add_raw(std::string_view value) {
    items_ += items_.empty() ? "" : ",";
    items_ += value;
    return *this;
}

}  // namespace postrider
