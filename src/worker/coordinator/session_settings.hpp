#pragma once

#include <postrider/error.hpp>
#include <string>

#include "pg/connection.hpp"

namespace postrider::working {

/// The server detects a vanished client as soon as a client detects a vanished server. Until then
/// it keeps the client's locks.
inline constexpr const char* notice_vanished_clients =
    "set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

/// A claim, a report or a step that a crash of the server loses is repeated, never wrong.
inline constexpr const char* session_settings =
    "set synchronous_commit = off; set search_path = pg_catalog, pg_temp";

/// Lets the server end statements of this session soon after its client has vanished. Returns the
/// statement that does so; empty on a server that does not support it.
inline std::string end_with_client(pg::connection& session) {
    std::string notice_soon = "set client_connection_check_interval = 1000; ";
    try {
        session.exec(notice_soon);
        return notice_soon;
    } catch (const error& problem) {
        if (problem.connection_lost()) {
            throw;
        }
        return {};
    }
}

}  // namespace postrider::working
