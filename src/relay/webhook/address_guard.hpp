#pragma once

#include <sys/socket.h>

namespace postrider::relaying {

/// Whether a request to this address leaves the networks of this machine: false for loopback,
/// private, shared, link-local, multicast, reserved and unspecified addresses, and for IPv6 forms
/// that carry such an IPv4 address (mapped, compatible, 6to4, NAT64). Any other family: false.
bool is_public_address(const sockaddr* address, socklen_t length);

}  // namespace postrider::relaying
