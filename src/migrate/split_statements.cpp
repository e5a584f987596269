#include <algorithm>
#include <cctype>

#include "migrate/sql_file.hpp"

namespace postrider::migrate {
namespace {

bool is_tag_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t after(std::string_view script, std::string_view needle, std::size_t from) {
    const auto found = script.find(needle, from);
    return found == std::string_view::npos ? script.size() : found + needle.size();
}

// Block comments nest in PostgreSQL.
std::size_t after_block_comment(std::string_view script, std::size_t from) {
    std::size_t at = from + 2;
    for (int depth = 1; depth > 0 && at < script.size();) {
        if (script.substr(at).starts_with("/*")) {
            ++depth;
            at += 2;
        } else if (script.substr(at).starts_with("*/")) {
            --depth;
            at += 2;
        } else {
            ++at;
        }
    }
    return at;
}

// "$tag$ ... $tag$"; a lone "$1" is an ordinary character.
std::size_t after_dollar_quote(std::string_view script, std::size_t from) {
    auto end = from + 1;
    while (end < script.size() && is_tag_character(script[end])) {
        ++end;
    }
    if (end >= script.size() || script[end] != '$') {
        return from + 1;
    }
    return after(script, script.substr(from, end - from + 1), end + 1);
}

// Just past the token that starts at `at`; sets `blank` to whether it has no meaning to the server.
std::size_t next_token(std::string_view script, std::size_t at, bool& blank) {
    const auto rest = script.substr(at);
    blank = rest.starts_with("--") || rest.starts_with("/*") ||
            std::isspace(static_cast<unsigned char>(rest[0])) != 0;
    if (rest.starts_with("--")) {
        return after(script, "\n", at);
    }
    if (rest.starts_with("/*")) {
        return after_block_comment(script, at);
    }
    if (rest[0] == '\'' || rest[0] == '"') {
        return after(script, rest.substr(0, 1), at + 1);
    }
    return rest[0] == '$' ? after_dollar_quote(script, at) : at + 1;
}

}  // namespace

std::vector<std::string_view> split_statements(std::string_view script) {
    std::vector<std::string_view> statements;
    std::size_t start = 0;
    bool meaningful = false;
    for (std::size_t at = 0; at < script.size();) {
        const bool ends = script[at] == ';';
        bool blank = false;
        at = next_token(script, at, blank);
        if (ends) {
            if (meaningful) {
                statements.push_back(script.substr(start, at - start));
            }
            start = at;
            meaningful = false;
        } else {
            meaningful = meaningful || !blank;
        }
    }
    if (meaningful) {
        statements.push_back(script.substr(start));
    }
    return statements;
}

}  // namespace postrider::migrate
