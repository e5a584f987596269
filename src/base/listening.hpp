#pragma once

#include <string>

#include "base/descriptor.hpp"

namespace postrider {

/// A listening, non-blocking socket at the first address of this name that is available; an empty
/// name means all addresses. Without one: -1, and errno has the reason.
descriptor listen_at(const std::string& address, int port);
/// The port of a bound socket.
int port_of(int socket);

}  // namespace postrider
