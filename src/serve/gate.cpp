#include "serve/gate.hpp"

#include <algorithm>
#include <charconv>

namespace postrider::serve {
namespace {

problem refused(std::string detail, int status = 403) {
    return {.code = status == 403 ? errc::permission_denied : errc::invalid_argument,
            .detail = std::move(detail),
            .status = status};
}

// Without the port; brackets of an IPv6 address stay.
std::string host_name(const std::string& host) {
    const auto colon = host.rfind(':');
    const bool port = colon != std::string::npos && host.find(']', colon) == std::string::npos;
    return port ? host.substr(0, colon) : host;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return text;
}

}  // namespace

bool is_loopback(const std::string& address) {
    return address == "localhost" || address == "::1" || address.starts_with("127.");
}

gate::gate(services& with, const std::vector<route>& routes, bool tls)
    : with_(with), routes_(routes), tls_(tls) {}

httplib::Headers gate::headers() {
    return {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
         "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
}

// Against names of others that lead to this address: a page of theirs must not read from here.
bool gate::host_allowed(const std::string& host) const {
    const auto name = lower(host_name(host));
    const auto& options = with_.options;
    if (std::find(options.allowed_hosts.begin(), options.allowed_hosts.end(), name) !=
        options.allowed_hosts.end()) {
        return true;
    }
    const auto here = ":" + std::to_string(port_);
    if (lower(host) != name + here) {
        return false;
    }
    const auto& address = options.address;
    return name == address || name == "[" + address + "]" ||
           (is_loopback(address) &&
            (name == "localhost" || name == "127.0.0.1" || name == "[::1]"));
}

std::optional<problem> gate::find_way(const httplib::Request& request, passed& to) const {
    const auto method = request.method == "HEAD" ? "GET" : request.method;
    bool other_method = false;
    for (const auto& way : routes_) {
        auto places = match(way.path, request.path);
        if (!places) {
            continue;
        }
        if (way.method == method) {
            to.way = &way;
            to.places = std::move(*places);
            return std::nullopt;
        }
        other_method = true;
    }
    return other_method ? refused("this path does not take " + request.method.substr(0, 20), 405)
                        : refused("there is nothing here; /api/v1/openapi.json lists what is", 404);
}

std::optional<problem> gate::check_token(const httplib::Request& request, passed& to) {
    constexpr std::string_view scheme = "bearer ";
    const auto given = request.get_header_value("Authorization");
    std::optional<store::token_holder> holder;
    if (lower(given.substr(0, scheme.size())) == scheme) {
        holder = with_.tokens.of(given.substr(scheme.size()));
    }
    if (!holder) {
        if (const int wait = with_.strangers.take(request.remote_addr); wait > 0) {
            return problem{.code = errc::too_many_requests,
                           .detail = "too many requests without a good token from this address",
                           .retryable = true,
                           .retry_after = wait};
        }
        return problem{errc::unauthenticated,
                       "send `Authorization: Bearer <token>` with a token that is in use"};
    }
    to.holder = *holder;
    if (const int wait = with_.requests.take(holder->name); wait > 0) {
        return problem{.code = errc::too_many_requests,
                       .detail = "this token asks too often",
                       .retryable = true,
                       .retry_after = wait};
    }
    if (standing_of(holder->role) < to.way->needed) {
        return refused(holder->lowered
                           ? "the database role of this server may only look; a change "
                             "or a payload needs one with postrider_operator"
                           : "this needs the role operator; the token's is " + holder->role);
    }
    if (holder->workspace && !to.way->any_workspace) {
        return refused("this is about all workspaces, and the token is for one of them");
    }
    return std::nullopt;
}

// Nothing that a page of somebody else can make a browser send.
std::optional<problem> gate::check_change(const httplib::Request& request) const {
    const auto origin = request.get_header_value("Origin");
    const auto own = (tls_ ? "https://" : "http://") + request.get_header_value("Host");
    if (request.has_header("Origin") && lower(origin) != lower(own)) {
        return refused("a change must come from the page of this server");
    }
    const auto site = request.get_header_value("Sec-Fetch-Site");
    if (!site.empty() && site != "same-origin" && site != "none") {
        return refused("a change must come from the page of this server");
    }
    if (request.get_header_value("x-postrider") != "1") {
        return refused("a change needs the header x-postrider: 1");
    }
    const auto type = lower(request.get_header_value("Content-Type"));
    if (type != "application/json" && !type.starts_with("application/json;")) {
        return refused("a change needs content-type: application/json", 415);
    }
    return std::nullopt;
}

std::optional<problem> gate::check_size(const httplib::Request& request, const route& way) const {
    const auto length = request.get_header_value("Content-Length");
    if (request.has_header("Transfer-Encoding") || length.empty()) {
        return refused("say how long the body is: content-length", 411);
    }
    std::size_t bytes = 0;
    const auto [end, wrong] = std::from_chars(length.data(), length.data() + length.size(), bytes);
    if (wrong != std::errc() || end != length.data() + length.size() ||
        request.get_header_value_count("Content-Length") != 1) {
        return refused("content-length is no number", 400);
    }
    const auto allowed = way.large_body ? with_.options.edit_body_max : with_.options.body_max;
    if (bytes > allowed) {
        return problem{errc::too_large, "the body may have " + std::to_string(allowed) + " bytes"};
    }
    return std::nullopt;
}

std::optional<problem> gate::check(const httplib::Request& request, passed& to) {
    constexpr std::size_t path_max = 2048;
    if (request.get_header_value_count("Host") != 1 ||
        !host_allowed(request.get_header_value("Host"))) {
        return refused("this server is not known by this name; see --allow-host", 421);
    }
    if (request.path.size() > path_max) {
        return refused("the path is too long", 414);
    }
    if (auto wrong = find_way(request, to)) {
        return wrong;
    }
    if (to.way->needed != standing::anyone) {
        if (auto wrong = check_token(request, to)) {
            return wrong;
        }
    }
    for (const auto& [name, value] : request.params) {
        const auto& known = to.way->queries;
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            return refused("the parameter '" + name.substr(0, 40) + "' is not known here", 400);
        }
    }
    if (to.way->method != "GET") {
        if (auto wrong = check_change(request)) {
            return wrong;
        }
        return check_size(request, *to.way);
    }
    return std::nullopt;
}

}  // namespace postrider::serve
