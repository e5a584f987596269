#pragma once

#include <string>

namespace postrider::pg {

enum class server_state {
    answering,  ///< whether it lets us in or not
    not_ready,  ///< starting up, shutting down or in recovery
    silent,
};

/// The state of a server, without authentication.
server_state ping(const std::string& conninfo);

}  // namespace postrider::pg
