#pragma once

namespace postrider::working {

/// The server detects a vanished client as soon as a client detects a vanished server. Until then
/// it keeps the client's locks.
inline constexpr const char* notice_vanished_clients =
    "set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

/// A claim, a report or a step that a crash of the server loses is repeated, never wrong.
inline constexpr const char* session_settings =
    "set synchronous_commit = off; set search_path = pg_catalog, pg_temp";

}  // namespace postrider::working
