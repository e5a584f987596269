#pragma once

namespace postrider::working {

/// The server should find out about a client that vanished as soon as the client finds out about a
/// vanished server: until then it keeps what the client had locked.
inline constexpr const char* notice_vanished_clients =
    "set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

}  // namespace postrider::working
