#pragma once

#include <httplib.h>

#include <optional>
#include <string>
#include <vector>

#include "serve/auth/session.hpp"
#include "serve/http/problem.hpp"
#include "serve/routes/call.hpp"
#include "serve/services.hpp"

namespace postrider::serve {

/// Access control: checks a request before its body is read.
class gate {
  public:
    gate(services& with, const std::vector<route>& routes, bool tls);

    struct passed {
        const route* endpoint = nullptr;
        std::map<std::string, std::string> path_parameters = {};
        store::token_holder holder = {};
        std::string token = {};
        /// End of the browser session that the request belongs to; empty for a bearer token.
        std::optional<browser_sessions::clock::time_point> session_until = {};
    };
    /// Fills `to`, or returns the reason for refusal.
    std::optional<problem> check(const httplib::Request& request, passed& to);
    /// The port is known only when the server listens.
    void set_port(int port) { port_ = port; }

    /// Headers of every response.
    static httplib::Headers headers(bool tls);

  private:
    std::optional<problem> find_endpoint(const httplib::Request& request, passed& to) const;
    std::optional<problem> check_connection(const httplib::Request& request, const route& endpoint);
    std::optional<problem> check_token(const httplib::Request& request, passed& to);
    std::optional<problem> check_stranger();
    void find_token(const httplib::Request& request, passed& to) const;
    std::optional<store::token_holder> find_holder(const std::string& secret,
                                                   std::optional<problem>& wrong);
    static std::optional<problem> check_token_connections(const passed& by);
    std::optional<problem> check_origin(const httplib::Request& request) const;
    std::optional<problem> check_change(const httplib::Request& request) const;
    std::optional<problem> check_size(const httplib::Request& request, const route& endpoint) const;
    bool host_allowed(const std::string& host) const;

    services& with_;
    const std::vector<route>& routes_;
    bool tls_;
    int port_ = 0;
};

bool is_loopback(const std::string& address);

}  // namespace postrider::serve
