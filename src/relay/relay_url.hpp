#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::relaying {

/// An address of a broker: scheme://user:password@authority/path?query. Texts are percent-decoded,
/// except for the authority.
struct relay_url {
    std::string scheme;
    std::string user;
    std::string password;
    std::string authority;  ///< host:port, or several separated by commas
    std::string path;       ///< without the first slash
    std::vector<std::pair<std::string, std::string>> query;
    bool has_user = false;
};

/// Throws usage_error for a text that is not such an address. The error does not contain it.
relay_url parse_relay_url(std::string_view text);

struct host_and_port {
    std::string host;
    int port;
};
/// "host", "host:port" or "[address]:port". Throws usage_error for anything else.
host_and_port host_of(const relay_url& from, int default_port);

/// For operators: scheme and hosts, without user, password and query. Of a path, which may hold the
/// key of a webhook, only the parts with fields are left: https://host/…/{event_type}.
std::string address_shown(const relay_url& of);

/// %XX for every byte outside of the unreserved characters of RFC 3986.
std::string percent_encoded(std::string_view text);

}  // namespace postrider::relaying
