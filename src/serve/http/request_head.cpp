#include "serve/http/request_head.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace postrider::serve {
namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::size_t target_max = 8000;

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool same_name(std::string_view one, std::string_view other) {
    return std::ranges::equal(one, other, {}, lower, lower);
}

bool is_token(std::string_view text) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') ||
               marks.find(c) != std::string_view::npos;
    });
}

bool is_visible(char c) { return c > ' ' && c < '\x7f'; }

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Reads one head; the first problem ends it.
class head_parser {
  public:
    explicit head_parser(std::string_view bytes) : rest_(bytes) {}

    request_head read() && {
        if (read_request_line(next_line()) && read_headers()) {
            check_body();
        }
        made_.text += line_end;
        return std::move(made_);
    }

  private:
    std::string_view next_line() {
        const auto end = std::min(rest_.find(line_end), rest_.size());
        const auto line = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + line_end.size(), rest_.size()));
        return line;
    }

    bool refuse(int status, std::string detail) {
        made_.status = status;
        made_.detail = std::move(detail);
        return false;
    }

    void keep(std::string_view line) {
        made_.text += line;
        made_.text += line_end;
    }

    bool read_request_line(std::string_view line) {
        const auto first = line.find(' ');
        const auto last = line.rfind(' ');
        if (first == std::string_view::npos || first == last || !is_token(line.substr(0, first))) {
            return refuse(400, "the request line must be `METHOD /path HTTP/1.1`");
        }
        method_ = line.substr(0, first);
        const auto target = line.substr(first + 1, last - first - 1);
        if (!target.starts_with('/') || !std::ranges::all_of(target, is_visible)) {
            return refuse(400, "the request target must be a path of visible ASCII characters");
        }
        if (target.size() > target_max) {
            return refuse(414, "the path is too long");
        }
        const auto version = line.substr(last + 1);
        if (version != "HTTP/1.1" && version != "HTTP/1.0") {
            return refuse(505, "the protocol must be HTTP/1.1 or HTTP/1.0");
        }
        keep(line);
        return true;
    }

    bool read_headers() {
        for (int count = 0;; ++count) {
            const auto line = next_line();
            if (line.empty()) {
                return true;
            }
            if (count == header_lines_max) {
                return refuse(431, "a request must have at most " +
                                       std::to_string(header_lines_max) + " header lines");
            }
            if (!read_header(line)) {
                return false;
            }
        }
    }

    bool read_header(std::string_view line) {
        if (line.front() == ' ' || line.front() == '\t') {
            return refuse(400, "a header line is folded; send each header on one line");
        }
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
            return refuse(400, "a header line must be `Name: value`, without a space before ':'");
        }
        const auto name = line.substr(0, colon);
        const auto value = trimmed(line.substr(colon + 1));
        const bool control = std::ranges::any_of(value, [](char c) {
            return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f';
        });
        if (control) {
            return refuse(400, "a header value has a control character");
        }
        return count_once(name) && apply(name, value, line);
    }

    /// Two of these would mean one thing to a proxy and another to this server.
    bool count_once(std::string_view name) {
        static constexpr std::array<std::string_view, 10> single{
            "host",   "content-length",     "transfer-encoding", "authorization",
            "origin", "content-type",       "x-postrider",       "expect",
            "cookie", "x-postrider-session"};
        const auto* const found = std::ranges::find_if(
            single, [&](std::string_view one) { return same_name(one, name); });
        if (found == single.end()) {
            return true;
        }
        auto& seen = seen_.at(static_cast<std::size_t>(found - single.begin()));
        if (seen) {
            return refuse(400, "the header " + std::string(*found) + " must occur only once");
        }
        seen = true;
        return true;
    }

    bool apply(std::string_view name, std::string_view value, std::string_view line) {
        // Answers are never partial, so a range costs nothing to ignore (RFC 9110, 14.2).
        if (same_name(name, "range") || same_name(name, "if-range")) {
            return true;
        }
        // The server compresses by itself: cpp-httplib compresses every file again for every
        // request.
        if (same_name(name, "accept-encoding")) {
            made_.gzip = value.find("gzip") != std::string_view::npos &&
                         value.find(";") == std::string_view::npos;
            return true;
        }
        // A compressed body is larger than the length that was checked.
        if (same_name(name, "content-encoding") && !same_name(value, "identity")) {
            return refuse(415, "a body must not be compressed");
        }
        if (same_name(name, "transfer-encoding")) {
            transfer_encoding_ = true;
            return true;
        }
        // cpp-httplib would ask for the body before the request is checked.
        if (same_name(name, "expect")) {
            made_.expects_continue = true;
            return value == "100-continue" ||
                   refuse(417, "the only supported expectation is 100-continue");
        }
        if (same_name(name, "content-length") && !read_length(value)) {
            return refuse(400, "content-length must be a decimal number");
        }
        keep(line);
        return true;
    }

    bool read_length(std::string_view value) {
        std::size_t bytes = 0;
        const auto* const end = value.data() + value.size();
        const auto [stopped, problem] = std::from_chars(value.data(), end, bytes);
        length_ = bytes;
        return !value.empty() && problem == std::errc() && stopped == end;
    }

    void check_body() {
        if (transfer_encoding_) {
            if (length_) {
                refuse(400, "content-length and transfer-encoding exclude each other");
            } else {
                refuse(411, "transfer-encoding is not supported; send content-length");
            }
            return;
        }
        made_.content_length = length_.value_or(0);
        if (made_.content_length > 0 && (method_ == "GET" || method_ == "HEAD")) {
            refuse(400, "a " + std::string(method_) + " request must have no body");
        }
    }

    std::string_view rest_;
    request_head made_;
    std::string_view method_;
    std::optional<std::size_t> length_;
    bool transfer_encoding_ = false;
    std::array<bool, 10> seen_{};
};

}  // namespace

head_progress find_head_end(std::string_view bytes, std::size_t from) {
    for (auto at = bytes.find('\n', from); at != std::string_view::npos;
         at = bytes.find('\n', at + 1)) {
        if (at == 0 || bytes[at - 1] != '\r') {
            return {head_progress::malformed};
        }
        if (at >= 3 && bytes.substr(at - 3, 2) == line_end) {
            return {head_progress::complete, at + 1};
        }
    }
    return {};
}

request_head parse_head(std::string_view bytes) {
    // A carriage return anywhere else ends a line for some parsers and not for others.
    for (auto at = bytes.find('\r'); at != std::string_view::npos; at = bytes.find('\r', at + 1)) {
        if (at + 1 == bytes.size() || bytes[at + 1] != '\n') {
            return {.status = 400, .detail = "a line must end with CR LF"};
        }
    }
    return head_parser(bytes).read();
}

}  // namespace postrider::serve
