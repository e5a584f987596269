#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "serve/http/connection_table.hpp"

namespace postrider::serve {

struct serve_options {
    std::string database;  ///< how to connect
    std::string address = "127.0.0.1";
    int port = 7432;  ///< 0: a free port
    std::string certificate = {};
    std::string private_key = {};
    std::vector<std::string> allowed_hosts = {};  ///< names besides the address itself
    bool open_metrics = false;                    ///< /metrics without a token, on loopback only
    /// Address of a trace in another program, with {trace} for its id.
    std::optional<std::string> trace_link = {};

    /// Token, name and role of the link that is printed at the start. Empty: no link.
    std::string link_token = {};
    std::string link_name = "local";
    std::string link_role = "admin";

    connection_limits connections = {};
    std::size_t in_flight_max = 256 << 20;  ///< bytes of requests and answers of all connections
    std::size_t answer_max = 64 << 20;      ///< bytes of one answer
    int sessions = 4;                       ///< of the database
    static constexpr int sessions_min = 3;  ///< for two clients and the server itself
    double requests_per_s = 20;             ///< of one token, on average …
    double burst = 100;                     ///< … and at once
    /// Requests of one address without a valid token, on average and at once …
    double guesses_per_s = 1;
    double guesses_burst = 20;
    /// … and queries for tokens that were not valid before, of all addresses together.
    double lookups_per_s = 20;
    double lookups_burst = 100;
    std::size_t body_max = 1 << 20;  ///< bytes
    std::size_t small_body_max = 4 << 10;
    std::size_t edit_body_max = 10 << 20;
    std::chrono::milliseconds read_time{10000};   ///< for a whole request to arrive
    std::chrono::milliseconds write_time{30000};  ///< for a whole answer, or one event, to leave
    std::chrono::milliseconds idle_time{15000};   ///< between the requests of one connection
    std::chrono::milliseconds statement_time{10000};
    std::chrono::milliseconds sample_every{2500};
    std::chrono::milliseconds point_every{5000};
    std::size_t points = 720;  ///< of the history: an hour
};

}  // namespace postrider::serve
