#pragma once

namespace postrider::working {

/// The server detects a vanished client as soon as a client detects a vanished server. Until then
/// it keeps the client's locks.
inline constexpr const char* notice_vanished_clients =
    "set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

}  // namespace postrider::working
