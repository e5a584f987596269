#include "chaos/record/record.hpp"

#include <charconv>
#include <stdexcept>

#include "base/encoding/hex.hpp"

namespace postrider::chaos {
namespace {

constexpr auto digits = hex_digits;

// Characters that separate lines, fields or names are written as %xx.
void escape(std::string& to, std::string_view value) {
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= ' ' || byte == '%' || byte == 0x7f) {
            to += '%';
            to += digits[byte >> 4U];
            to += digits[byte & 15U];
        } else {
            to += c;
        }
    }
}

[[noreturn]] void refuse(std::string_view line, const char* why) {
    throw std::runtime_error("not a line of a history, " + std::string(why) + ": " +
                             std::string(line));
}

std::string unescape(std::string_view value, std::string_view line) {
    std::string plain;
    for (std::size_t at = 0; at < value.size(); ++at) {
        if (value[at] != '%') {
            plain += value[at];
            continue;
        }
        const auto high = at + 1 < value.size() ? digits.find(value[at + 1]) : std::string::npos;
        const auto low = at + 2 < value.size() ? digits.find(value[at + 2]) : std::string::npos;
        if (high == std::string::npos || low == std::string::npos) {
            refuse(line, "% is not followed by two digits");
        }
        plain += static_cast<char>(high * 16 + low);
        at += 2;
    }
    return plain;
}

std::string_view next_word(std::string_view& rest) {
    const auto end = rest.find(' ');
    const auto word = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return word;
}

std::int64_t to_number(std::string_view text, std::string_view line) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
        refuse(line, "a number is expected");
    }
    return value;
}

}  // namespace

record& record::add(std::string_view name, std::string_view value) {
    fields.emplace_back(name, value);
    return *this;
}

record& record::add(std::string_view name, std::int64_t value) {
    return add(name, std::to_string(value));
}

bool record::has(std::string_view name) const {
    for (const auto& field : fields) {
        if (field.first == name) {
            return true;
        }
    }
    return false;
}

std::string_view record::text(std::string_view name) const {
    for (const auto& field : fields) {
        if (field.first == name) {
            return field.second;
        }
    }
    return {};
}

std::int64_t record::number(std::string_view name) const {
    const auto value = text(name);
    return value.empty() ? 0 : to_number(value, value);
}

std::vector<std::string> record::list(std::string_view name) const {
    std::vector<std::string> parts;
    auto rest = text(name);
    while (!rest.empty()) {
        const auto end = rest.find(',');
        parts.emplace_back(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return parts;
}

std::string to_line(const record& entry) {
    std::string line = std::to_string(entry.at) + " " + entry.kind;
    for (const auto& [name, value] : entry.fields) {
        line += ' ';
        line += name;
        line += '=';
        escape(line, value);
    }
    return line + "\n";
}

record parse_line(std::string_view line) {
    auto rest = line;
    record made;
    made.at = to_number(next_word(rest), line);
    made.kind = next_word(rest);
    if (made.kind.empty()) {
        refuse(line, "its kind is missing");
    }
    while (!rest.empty()) {
        const auto word = next_word(rest);
        const auto equals = word.find('=');
        if (equals == std::string_view::npos) {
            refuse(line, "a field is name=value");
        }
        made.add(word.substr(0, equals), unescape(word.substr(equals + 1), line));
    }
    return made;
}

}  // namespace postrider::chaos
