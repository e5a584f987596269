#include "base/json/json_members.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace postrider {
namespace {

bool is_blank(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

/// Steps through a text that is known to be correct.
class reader {
  public:
    explicit reader(std::string_view text) : text_(text) {}

    char peek() {
        while (at_ < text_.size() && is_blank(text_[at_])) {
            ++at_;
        }
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    void skip() { ++at_; }

    std::string_view string() {
        const auto from = at_++;
        while (at_ < text_.size() && text_[at_] != '"') {
            at_ += text_[at_] == '\\' ? 2 : 1;
        }
        ++at_;
        return text_.substr(from, at_ - from);
    }
    std::string_view value() {
        const auto from = at_;
        if (text_[at_] == '"') {
            return string();
        }
        if (text_[at_] != '{' && text_[at_] != '[') {
            at_ = std::min(text_.find_first_of(", \t\n\r}]", at_), text_.size());
            return text_.substr(from, at_ - from);
        }
        int depth = 0;
        do {
            const char letter = text_[at_];
            if (letter == '"') {
                string();
                continue;
            }
            depth += letter == '{' || letter == '[' ? 1 : 0;
            depth -= letter == '}' || letter == ']' ? 1 : 0;
            ++at_;
        } while (depth > 0 && at_ < text_.size());
        return text_.substr(from, at_ - from);
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

std::uint32_t hexadecimal(std::string_view digits) {
    std::uint32_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    return value;
}

void append_utf8(std::string& to, std::uint32_t point) {
    const auto add = [&](std::uint32_t byte) { to += static_cast<char>(byte); };
    if (point < 0x80) {
        add(point);
    } else if (point < 0x800) {
        add(0xC0U | point >> 6U);
        add(0x80U | (point & 0x3FU));
    } else if (point < 0x10000) {
        add(0xE0U | point >> 12U);
        add(0x80U | (point >> 6U & 0x3FU));
        add(0x80U | (point & 0x3FU));
    } else {
        add(0xF0U | point >> 18U);
        add(0x80U | (point >> 12U & 0x3FU));
        add(0x80U | (point >> 6U & 0x3FU));
        add(0x80U | (point & 0x3FU));
    }
}

}  // namespace

void for_each_json_member(std::string_view object, const std::function<void(json_member)>& take) {
    reader text(object);
    text.peek();
    text.skip();
    while (text.peek() == '"') {
        auto name = json_unquoted(text.string());
        text.peek();
        text.skip();  // the colon
        text.peek();
        take({std::move(name), text.value()});
        if (text.peek() == ',') {
            text.skip();
        }
    }
}

std::vector<json_member> json_members(std::string_view object) {
    std::vector<json_member> found;
    for_each_json_member(object, [&](json_member one) { found.push_back(std::move(one)); });
    return found;
}

std::vector<json_member> json_members(std::string_view object,
                                      std::span<const std::string_view> names) {
    std::vector<json_member> found;
    for_each_json_member(object, [&](json_member one) {
        if (std::ranges::find(names, one.name) != names.end() &&
            std::ranges::find(found, one.name, &json_member::name) == found.end()) {
            found.push_back(std::move(one));
        }
    });
    return found;
}

std::vector<std::string_view> json_items(std::string_view array) {
    std::vector<std::string_view> found;
    reader text(array);
    text.peek();
    text.skip();
    while (text.peek() != ']' && text.peek() != '\0') {
        found.push_back(text.value());
        if (text.peek() == ',') {
            text.skip();
        }
    }
    return found;
}

std::string json_unquoted(std::string_view literal) {
    constexpr std::string_view letters = "bfnrt";
    constexpr std::string_view meanings = "\b\f\n\r\t";
    std::string plain;
    const auto inner = literal.substr(1, literal.size() - 2);
    for (std::size_t at = 0; at < inner.size(); ++at) {
        if (inner[at] != '\\') {
            plain += inner[at];
            continue;
        }
        const char letter = inner[++at];
        if (letter == 'u') {
            auto point = hexadecimal(inner.substr(at + 1, 4));
            at += 4;
            if (point >= 0xD800 && point < 0xDC00) {  // the first half of a pair
                point = 0x10000 + ((point - 0xD800) << 10U) +
                        (hexadecimal(inner.substr(at + 3, 4)) - 0xDC00);
                at += 6;
            }
            append_utf8(plain, point);
        } else {
            const auto index = letters.find(letter);
            plain += index == std::string_view::npos ? letter : meanings[index];
        }
    }
    return plain;
}

}  // namespace postrider
