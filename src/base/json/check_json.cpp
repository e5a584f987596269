#include "base/json/check_json.hpp"

#include <algorithm>
#include <string>

#include "base/encoding/utf8.hpp"

namespace postrider {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_value(char c) {
    if (is_digit(c)) {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

class json_reader {
  public:
    explicit json_reader(std::string_view text) : text_(text) {}

    json_finding read() {
        skip_blanks();
        const bool object = peek() == '{';
        if (!read_values()) {
            return {problem_, at_, object};
        }
        return {nullptr, 0, object};
    }

  private:
    // Without recursion: open_ holds the expected closing brackets.
    bool read_values() {
        while (true) {
            const char first = peek();
            if (first == '{' || first == '[') {
                if (open_.size() == json_depth_max) {
                    return fail("arrays and objects are nested deeper than 512 levels");
                }
                if (!opens_empty(first == '{' ? '}' : ']')) {
                    if (first == '{' && !read_key()) {
                        return false;
                    }
                    continue;
                }
            } else if (!read_scalar()) {
                return false;
            }
            if (!finish_value()) {
                return false;
            }
            if (open_.empty()) {
                return true;
            }
        }
    }

    // Past an opening bracket; true when it is closed at once.
    bool opens_empty(char closing) {
        ++at_;
        skip_blanks();
        if (peek() == closing) {
            ++at_;
            return true;
        }
        open_ += closing;
        return false;
    }

    // From behind a value to the next one, or to the end of the text.
    bool finish_value() {
        while (true) {
            skip_blanks();
            if (open_.empty()) {
                return at_ == text_.size() || fail("something follows the end of the value");
            }
            if (peek() == ',') {
                ++at_;
                skip_blanks();
                return open_.back() == ']' || read_key();
            }
            if (peek() != open_.back()) {
                return fail(open_.back() == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
            }
            open_.pop_back();
            ++at_;
        }
    }

    bool read_key() {
        if (peek() != '"') {
            return fail("expected a key in double quotes");
        }
        if (!read_string()) {
            return false;
        }
        skip_blanks();
        if (peek() != ':') {
            return fail("expected ':'");
        }
        ++at_;
        skip_blanks();
        return true;
    }

    bool read_scalar() {
        switch (peek()) {
            case '"':
                return read_string();
            case 't':
                return read_word("true");
            case 'f':
                return read_word("false");
            case 'n':
                return read_word("null");
            default:
                return read_number();
        }
    }

    bool read_word(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) {
            return fail("expected a value");
        }
        at_ += word.size();
        return true;
    }

    bool read_string() {
        ++at_;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"') {
                ++at_;
                return true;
            }
            if (static_cast<unsigned char>(c) < 0x20) {
                return fail("a control character must be escaped");
            }
            if (c != '\\') {
                ++at_;
            } else if (!read_escape()) {
                return false;
            }
        }
        return fail("a string is not closed");
    }

    bool read_escape() {
        constexpr std::string_view simple = "\"\\/bfnrt";
        const char kind = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        if (kind != 'u') {
            if (kind == '\0' || simple.find(kind) == std::string_view::npos) {
                return fail("an escape sequence is invalid");
            }
            at_ += 2;
            return true;
        }
        const int unit = code_unit(at_);
        if (unit <= 0) {
            return fail(unit == 0 ? "\\u0000 cannot be stored" : "\\u needs four digits");
        }
        if (unit >= 0xdc00 && unit <= 0xdfff) {
            return fail("half of a surrogate pair");
        }
        at_ += 6;
        if (unit >= 0xd800 && unit <= 0xdbff) {
            const int low = code_unit(at_);
            if (low < 0xdc00 || low > 0xdfff) {
                return fail("half of a surrogate pair");
            }
            at_ += 6;
        }
        return true;
    }

    // Of the \uXXXX that begins at `from`; -1 when there is none.
    int code_unit(std::size_t from) const {
        const auto escape = text_.substr(std::min(from, text_.size()), 6);
        if (escape.size() != 6 || !escape.starts_with("\\u")) {
            return -1;
        }
        int unit = 0;
        for (const char c : escape.substr(2)) {
            const int digit = hex_value(c);
            if (digit < 0) {
                return -1;
            }
            unit = unit * 16 + digit;
        }
        return unit;
    }

    std::string_view digits() {
        const auto from = at_;
        while (at_ < text_.size() && is_digit(text_[at_])) {
            ++at_;
        }
        return text_.substr(from, at_ - from);
    }

    bool read_number() {
        const auto from = at_;
        if (peek() == '-') {
            ++at_;
        }
        const auto whole = digits();
        if (whole.empty() || (whole.size() > 1 && whole[0] == '0')) {
            return fail(whole.empty() ? "expected a value" : "a number begins with 0");
        }
        std::string_view fraction;
        if (peek() == '.') {
            ++at_;
            fraction = digits();
            if (fraction.empty()) {
                return fail("digits are missing behind '.'");
            }
        }
        long long exponent = 0;
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            const bool negative = peek() == '-';
            at_ += negative || peek() == '+' ? 1 : 0;
            const auto power = digits();
            if (power.empty()) {
                return fail("digits are missing behind 'e'");
            }
            for (const char c : power) {
                exponent = std::min(exponent * 10 + (c - '0'), 2'000'000'000LL);
            }
            exponent = negative ? -exponent : exponent;
        }
        if (!fits_numeric(whole, fraction, exponent)) {
            at_ = from;
            return fail("a number is larger or finer than PostgreSQL's numeric");
        }
        return true;
    }

    // The numbers of jsonb are numeric: 131,072 digits before the point and 16,383 behind it.
    static bool fits_numeric(std::string_view whole, std::string_view fraction,
                             long long exponent) {
        constexpr long long before_max = 131'072;
        constexpr long long behind_max = 16'383;
        constexpr long long exponent_max = 1'073'741'822;  // half of the server's int, exclusive
        const auto before = static_cast<long long>(whole.size()) + exponent;
        const auto behind = static_cast<long long>(fraction.size()) - exponent;
        if (before <= before_max && behind <= behind_max) {
            return true;
        }
        if (behind > behind_max || exponent > exponent_max) {
            return false;
        }
        // Zeros in front do not count.
        long long leading = 0;
        for (const auto part : {whole, fraction}) {
            const auto first = part.find_first_not_of('0');
            leading += static_cast<long long>(std::min(first, part.size()));
            if (first != std::string_view::npos) {
                return before - leading <= before_max;
            }
        }
        return true;
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' ||
                                      text_[at_] == '\t' || text_[at_] == '\r')) {
            ++at_;
        }
    }

    bool fail(const char* problem) {
        problem_ = at_ < text_.size() ? problem : "the text ends too early";
        return false;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string open_;
    const char* problem_ = nullptr;
};

static_assert(json_depth_max == 512, "the text of the problem names it");

}  // namespace

json_finding check_json(std::string_view text) {
    if (const auto usable = usable_utf8(text); usable != text.size()) {
        return {text[usable] == '\0' ? "a zero byte" : "not UTF-8", usable, false};
    }
    return json_reader(text).read();
}

}  // namespace postrider
