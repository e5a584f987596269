#include "serve/auth/gate.hpp"

#include <algorithm>

#include "serve/auth/secret.hpp"
#include "serve/http/http_connection.hpp"
#include "serve/page_files.hpp"

namespace postrider::serve {
namespace {

problem refused(std::string detail, int status = 403) {
    return {.code = status == 403 ? errc::permission_denied : errc::invalid_argument,
            .detail = std::move(detail),
            .status = status};
}

problem too_many_without_token(int wait) {
    return {.code = errc::too_many_requests,
            .detail = "too many requests without a valid token from this address",
            .retryable = true,
            .retry_after = wait};
}

// A proxy may append its address to the header or add another line.
std::string forwarded_for(const httplib::Request& request) {
    std::string all;
    for (std::size_t i = 0; i < request.get_header_value_count("X-Forwarded-For"); ++i) {
        all += (i == 0 ? "" : ",") + request.get_header_value("X-Forwarded-For", i);
    }
    return all;
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

httplib::Headers gate::headers(bool tls) {
    httplib::Headers made{
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self' " + page_assets::all().inline_script() +
             "; style-src 'self'; img-src 'self' data:; "
             "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Accept-Ranges", "none"},
    };
    if (tls) {
        made.emplace("Strict-Transport-Security", "max-age=31536000");
    }
    return made;
}

// DNS-rebinding protection.
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

std::optional<problem> gate::find_endpoint(const httplib::Request& request, passed& to) const {
    const auto method = request.method == "HEAD" ? "GET" : request.method;
    bool other_method = false;
    for (const auto& endpoint : routes_) {
        auto path_parameters = match(endpoint.path, request.path);
        if (!path_parameters) {
            continue;
        }
        if (endpoint.method == method) {
            to.endpoint = &endpoint;
            to.path_parameters = std::move(*path_parameters);
            return std::nullopt;
        }
        other_method = true;
    }
    return other_method ? refused("method not allowed: " + request.method.substr(0, 20), 405)
                        : refused("not found; see /api/v1/openapi.json", 404);
}

// Connections above the limits are reserved for health checks.
std::optional<problem> gate::check_connection(const httplib::Request& request,
                                              const route& endpoint) {
    auto& seat = http_connection::current().seat();
    if (seat.health_only() && !endpoint.health) {
        return problem{.code = errc::too_many_requests,
                       .detail =
                           "the server or your address has too many connections open; close "
                           "some, or raise --connections or --connections-per-address",
                       .status = 503,
                       .retryable = true,
                       .retry_after = 1};
    }
    seat.set_client(forwarded_for(request));
    return std::nullopt;
}

// An unknown token costs a query, so the rate limit applies before the query. A token that was
// valid before is exempt: guesses from the same address do not lock it out. A text that
// cannot be a token needs no query, and does not use up the look-ups of all addresses.
std::optional<store::token_holder> gate::find_holder(const std::string& secret,
                                                     std::optional<problem>& wrong) {
    if (with_.tokens.was_good(secret)) {
        if (auto holder = with_.tokens.of(secret)) {
            return holder;
        }
    }
    const auto& client = http_connection::current().seat().client();
    const bool possible = is_token(secret);
    auto wait = with_.strangers.take(client);
    if (wait == 0 && possible) {
        wait = with_.lookups.take("");
    }
    if (wait > 0) {
        wrong = too_many_without_token(wait);
        return std::nullopt;
    }
    auto holder = possible ? with_.tokens.of(secret) : std::nullopt;
    if (holder) {
        with_.strangers.give_back(client);
        with_.lookups.give_back("");
    }
    return holder;
}

std::optional<problem> gate::check_token_connections(const passed& by) {
    auto& seat = http_connection::current().seat();
    using verdict = connection_table::verdict;
    auto found = seat.set_token(by.holder.name);
    const bool stream = by.endpoint->stream != nullptr;
    if (found == verdict::allowed && stream) {
        found = seat.begin_stream();
    }
    if (found == verdict::allowed) {
        return std::nullopt;
    }
    const std::string resource = stream ? "live streams" : "connections";
    return problem{.code = errc::too_many_requests,
                   .detail = (found == verdict::token_full     ? "this token has too many "
                              : found == verdict::address_full ? "this address has too many "
                                                               : "the server has too many ") +
                             resource + " open; close some first",
                   .retryable = true,
                   .retry_after = 5};
}

// A bearer token, or the session of a browser.
void gate::find_token(const httplib::Request& request, passed& to) const {
    constexpr std::string_view scheme = "bearer ";
    if (request.has_header("Authorization")) {
        const auto authorization = request.get_header_value("Authorization");
        if (lower(authorization.substr(0, scheme.size())) == scheme) {
            to.token = authorization.substr(scheme.size());
        }
        return;
    }
    auto session = with_.browsers->open(request.get_header_value("Cookie"),
                                        request.get_header_value(browser_sessions::key_header));
    if (session) {
        to.token = std::move(session->token);
        to.session_until = session->until;
    }
}

std::optional<problem> gate::check_token(const httplib::Request& request, passed& to) {
    find_token(request, to);
    if (to.session_until) {
        if (auto wrong = check_origin(request)) {
            return wrong;
        }
    }
    std::optional<problem> wrong;
    const auto holder = find_holder(to.token, wrong);
    if (!holder) {
        return wrong ? wrong
                     : problem{errc::unauthenticated,
                               to.token.empty()
                                   ? "a valid token is required: `Authorization: Bearer <token>`"
                                   : "the token is unknown, expired or revoked"};
    }
    to.holder = *holder;
    if (const int wait = with_.requests.take(holder->name); wait > 0) {
        return problem{.code = errc::too_many_requests,
                       .detail = "too many requests with this token",
                       .retryable = true,
                       .retry_after = wait};
    }
    if (auto wrong_connections = check_token_connections(to)) {
        return wrong_connections;
    }
    if (standing_of(holder->role) < to.endpoint->needed) {
        return refused(holder->lowered ? "the database role of this server is a viewer; changes "
                                         "and payloads require postrider_operator"
                                       : "the role operator is required; the token has the role " +
                                             holder->role);
    }
    if (holder->workspace && !to.endpoint->any_workspace) {
        return refused("a token of one workspace cannot use this route");
    }
    return std::nullopt;
}

// A POST that needs no token, so that a browser can sign out after its token was revoked.
std::optional<problem> gate::check_stranger() {
    const int wait = with_.strangers.take(http_connection::current().seat().client());
    return wait > 0 ? std::optional(too_many_without_token(wait)) : std::nullopt;
}

// CSRF protection, together with check_change().
std::optional<problem> gate::check_origin(const httplib::Request& request) const {
    const auto origin = request.get_header_value("Origin");
    const auto own = (tls_ ? "https://" : "http://") + request.get_header_value("Host");
    if (request.has_header("Origin") && lower(origin) != lower(own)) {
        return refused("cross-origin request refused");
    }
    const auto site = request.get_header_value("Sec-Fetch-Site");
    if (!site.empty() && site != "same-origin" && site != "none") {
        return refused("cross-origin request refused");
    }
    return std::nullopt;
}

std::optional<problem> gate::check_change(const httplib::Request& request) const {
    if (auto wrong = check_origin(request)) {
        return wrong;
    }
    if (request.get_header_value("x-postrider") != "1") {
        return refused("the header x-postrider: 1 is required");
    }
    const auto type = lower(request.get_header_value("Content-Type"));
    if (type != "application/json" && !type.starts_with("application/json;")) {
        return refused("Content-Type must be application/json", 415);
    }
    return std::nullopt;
}

std::optional<problem> gate::check_size(const httplib::Request& request,
                                        const route& endpoint) const {
    if (!request.has_header("Content-Length")) {
        return refused("Content-Length is required", 411);
    }
    const auto& options = with_.options;
    // Without a token, only a small body is read.
    const bool small = endpoint.small_body || endpoint.needed == standing::anyone;
    const auto allowed = small                 ? options.small_body_max
                         : endpoint.large_body ? options.edit_body_max
                                               : options.body_max;
    if (http_connection::current().body_left() > allowed) {
        return problem{errc::too_large,
                       "the body is too large; maximum: " + std::to_string(allowed) + " bytes"};
    }
    return std::nullopt;
}

std::optional<problem> gate::check(const httplib::Request& request, passed& to) {
    constexpr std::size_t path_max = 2048;
    if (request.get_header_value_count("Host") != 1 ||
        !host_allowed(request.get_header_value("Host"))) {
        return refused("host name not allowed; see --allow-host", 421);
    }
    if (request.path.size() > path_max) {
        return refused("the path is too long", 414);
    }
    if (auto wrong = find_endpoint(request, to)) {
        return wrong;
    }
    if (auto wrong = check_connection(request, *to.endpoint)) {
        return wrong;
    }
    if (to.endpoint->needed != standing::anyone) {
        if (auto wrong = check_token(request, to)) {
            return wrong;
        }
    } else if (to.endpoint->method != "GET") {
        if (auto wrong = check_stranger()) {
            return wrong;
        }
    }
    for (const auto& [name, value] : request.params) {
        const auto& known = to.endpoint->queries;
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            return refused("the parameter '" + name.substr(0, 40) + "' is unknown", 400);
        }
    }
    if (to.endpoint->method != "GET") {
        if (auto wrong = check_change(request)) {
            return wrong;
        }
        return check_size(request, *to.endpoint);
    }
    return std::nullopt;
}

}  // namespace postrider::serve
