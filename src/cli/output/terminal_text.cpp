#include "cli/output/terminal_text.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/encoding/utf8.hpp"

namespace postrider::cli {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// The first character of valid UTF-8 text.
char32_t character(std::string_view text, std::size_t length) {
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 1) {
        return first;
    }
    char32_t value = first & (0x7FU >> length);
    for (const char byte : text.substr(1, length - 1)) {
        value = value << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
    }
    return value;
}

std::size_t length_at(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && continues(text[length])) {
        ++length;
    }
    return length;
}

bool is_harmless(char32_t value) {
    const bool control = value < 0x20 || (value >= 0x7F && value < 0xA0);
    const bool invisible =
        value == 0xAD || value == 0x61C || (value >= 0x200B && value <= 0x200F) ||
        (value >= 0x2028 && value <= 0x202E) || (value >= 0x2060 && value <= 0x206F) ||
        value == 0xFEFF || (value >= 0xFFF9 && value <= 0xFFFB) ||
        (value >= 0xE0000 && value <= 0xE007F);
    return !control && !invisible;
}

std::string text_escaped(char32_t value) {
    switch (value) {
        case U'\n':
            return "\\n";
        case U'\r':
            return "\\r";
        case U'\t':
            return "\\t";
        default:
            break;
    }
    return value < 0x100 ? fmt::format("\\x{:02x}", static_cast<unsigned>(value))
                         : fmt::format("\\u{{{:x}}}", static_cast<unsigned>(value));
}

std::string json_escaped(char32_t value) {
    // Valid JSON has control characters only between values.
    if (value < 0x20) {
        return " ";
    }
    if (value < 0x10000) {
        return fmt::format("\\u{:04x}", static_cast<unsigned>(value));
    }
    const auto rest = static_cast<unsigned>(value) - 0x10000U;
    return fmt::format("\\u{:04x}\\u{:04x}", 0xD800U + (rest >> 10U), 0xDC00U + (rest & 0x3FFU));
}

// Calls add(text) for each character, escaped by `escape` if it is not printable.
template <typename Escape, typename Add>
void each_character(std::string_view text, const Escape& escape, const Add& add) {
    std::size_t good = usable_utf8(text);
    while (!text.empty()) {
        if (good == 0) {
            add(fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front())));
            text.remove_prefix(1);
            good = usable_utf8(text);
            continue;
        }
        const auto length = length_at(text.substr(0, good));
        const auto value = character(text, length);
        add(is_harmless(value) ? std::string(text.substr(0, length)) : escape(value));
        text.remove_prefix(length);
        good -= length;
    }
}

}  // namespace

std::string printable(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    each_character(text, text_escaped, [&](const std::string& piece) { shown += piece; });
    return shown;
}

std::string printable_json(std::string_view json) {
    std::string shown;
    shown.reserve(json.size());
    each_character(json, json_escaped, [&](const std::string& piece) { shown += piece; });
    return shown;
}

std::string printable_lines(std::string_view text, std::string_view indent) {
    std::string shown;
    while (true) {
        const auto end = std::min(text.find('\n'), text.size());
        shown += printable(text.substr(0, end));
        if (end == text.size()) {
            return shown;
        }
        shown += '\n';
        shown += indent;
        text.remove_prefix(end + 1);
    }
}

std::string shortened(std::string_view text, std::size_t width) {
    // An escaped character takes several columns. The text may be megabytes, so only a prefix is
    // used.
    const auto whole = printable(text.substr(0, std::min(text.size(), width * 4 + 4)));
    if (width == 0 || (width_of(whole) <= width && text.size() <= width * 4 + 4)) {
        return width == 0 ? printable(text) : whole;
    }
    std::string shown;
    std::size_t used = 0;
    for (std::size_t at = 0; at < whole.size() && used + 1 < width; ++used) {
        const auto length = length_at(std::string_view(whole).substr(at));
        shown += whole.substr(at, length);
        at += length;
    }
    return shown + "…";
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char byte) { return !continues(byte); }));
}

std::string time_text(std::string_view instant) {
    constexpr std::size_t to_the_second = 19;  // 2026-03-01 12:00:00
    if (instant.size() <= to_the_second ||
        !(instant.ends_with("+00") || instant.ends_with("+00:00"))) {
        return printable(instant);
    }
    auto text = std::string(instant.substr(0, to_the_second)) + "Z";
    text[10] = ' ';  // JSON has a T
    return text;
}

std::string thousands(std::int64_t number) {
    auto digits = std::to_string(number);
    const std::size_t sign = number < 0 ? 1 : 0;
    for (auto at = digits.size(); at > sign + 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string counted(std::int64_t number, std::string_view thing) {
    return fmt::format("{} {}{}", thousands(number), thing, number == 1 ? "" : "s");
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

std::size_t terminal_columns(int descriptor) {
    winsize size{};
    if (!is_terminal(descriptor) || ::ioctl(descriptor, TIOCGWINSZ, &size) != 0) {
        return 0;
    }
    return size.ws_col;
}

}  // namespace postrider::cli
