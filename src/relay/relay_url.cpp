#include "relay/relay_url.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <postrider/error.hpp>
#include <postrider/relay.hpp>

#include "base/encoding/hex.hpp"

namespace postrider::relaying {
namespace {

[[noreturn]] void refuse(const std::string& why) {
    // The text may hold a password, so the error does not quote it.
    throw usage_error("the address of the relay " + why +
                      "; write for example nats://host:4222 or https://host/path");
}

int digit(char one) {
    const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(one)));
    const auto found = hex_digits.find(lower);
    return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

std::string decoded(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            plain += text[at];
            continue;
        }
        if (at + 2 >= text.size() || digit(text[at + 1]) < 0 || digit(text[at + 2]) < 0) {
            refuse("has a % that is not followed by two hexadecimal digits");
        }
        plain += static_cast<char>(digit(text[at + 1]) * 16 + digit(text[at + 2]));
        at += 2;
    }
    return plain;
}

// Splits at the first separator; the second part is empty when there is none.
std::pair<std::string_view, std::string_view> split(std::string_view text, char separator) {
    const auto at = text.find(separator);
    return at == std::string_view::npos ? std::pair(text, std::string_view{})
                                        : std::pair(text.substr(0, at), text.substr(at + 1));
}

void take_query(relay_url& into, std::string_view query) {
    while (!query.empty()) {
        const auto [one, rest] = split(query, '&');
        const auto [name, value] = split(one, '=');
        into.query.emplace_back(decoded(name), decoded(value));
        query = rest;
    }
}

void take_user(relay_url& into, std::string_view& authority) {
    const auto at = authority.rfind('@');
    if (at == std::string_view::npos) {
        return;
    }
    const auto [user, password] = split(authority.substr(0, at), ':');
    into.user = decoded(user);
    into.password = decoded(password);
    into.has_user = true;
    authority.remove_prefix(at + 1);
}

bool is_secret_name(std::string_view name) {
    constexpr std::array<std::string_view, 8> parts{"pass", "secret", "token", "key",
                                                    "sig",  "auth",   "cred",  "pwd"};
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

}  // namespace

relay_url parse_relay_url(std::string_view text) {
    relay_url made;
    if (std::ranges::any_of(text, [](unsigned char c) { return c <= ' ' || c == 0x7f; })) {
        refuse("has a blank or a control character");
    }
    const auto [scheme, rest] = split(text, ':');
    made.scheme = scheme;
    if (scheme == "pgmq" && (rest.empty() || rest == "//")) {
        return made;
    }
    if (scheme.empty() || !rest.starts_with("//")) {
        refuse("has no scheme");
    }
    const auto [before, query] = split(rest.substr(2), '?');
    auto [authority, path] = split(before, '/');
    take_user(made, authority);
    made.authority = authority;
    // The beginning of a password would be taken for the host, and shown.
    if (!scheme.starts_with("http") && path.find('@') != std::string_view::npos) {
        refuse("has an @ behind its host; write a / in a password as %2F");
    }
    made.path = decoded(path);
    take_query(made, query);
    if (made.authority.empty()) {
        refuse("has no host");
    }
    return made;
}

host_and_port host_of(const relay_url& from, int default_port) {
    std::string_view rest = from.authority;
    host_and_port made{{}, default_port};
    if (rest.starts_with('[')) {
        const auto end = rest.find(']');
        if (end == std::string_view::npos) {
            refuse("has an IPv6 address without a closing bracket");
        }
        made.host = rest.substr(1, end - 1);
        rest.remove_prefix(end + 1);
    } else {
        made.host = rest.substr(0, rest.find(':'));
        rest.remove_prefix(made.host.size());
    }
    if (made.host.empty()) {
        refuse("has no host");
    }
    if (rest.empty()) {
        return made;
    }
    const auto* end = rest.data() + rest.size();
    constexpr int port_max = 65'535;
    const auto read = std::from_chars(rest.data() + 1, end, made.port);
    if (rest.front() != ':' || read.ec != std::errc{} || read.ptr != end || made.port < 1 ||
        made.port > port_max) {
        refuse("has no valid port");
    }
    return made;
}

std::string address_shown(const relay_url& of) {
    if (of.authority.empty()) {
        return of.scheme + ":";
    }
    auto made = of.scheme + "://" + of.authority;
    if (of.scheme == "redis" && of.path.find_first_not_of("0123456789") == std::string::npos) {
        return of.path.empty() ? made : made + "/" + of.path;  // the number of the database
    }
    bool hidden = false;
    for (std::string_view rest = of.path; !rest.empty();) {
        const auto [part, more] = split(rest, '/');
        rest = more;
        if (part.find('{') != std::string_view::npos) {
            made.append("/").append(part);
            hidden = false;
        } else if (!hidden) {
            made += "/…";
            hidden = true;
        }
    }
    return made;
}

std::string percent_encoded(std::string_view text) {
    std::string made;
    for (const char one : text) {
        const auto byte = static_cast<unsigned char>(one);
        if (std::isalnum(byte) != 0 || one == '-' || one == '.' || one == '_' || one == '~') {
            made += one;
        } else {
            made += '%';
            made += static_cast<char>(std::toupper(hex_digits[byte >> 4U]));
            made += static_cast<char>(std::toupper(hex_digits[byte & 15U]));
        }
    }
    return made;
}

}  // namespace postrider::relaying

namespace postrider {

bool relay_has_credentials(std::string_view to) {
    const auto read = relaying::parse_relay_url(to);
    return read.has_user || std::ranges::any_of(read.query, [](const auto& one) {
               return relaying::is_secret_name(one.first);
           });
}

}  // namespace postrider
