#include "pg/ping.hpp"

#include <libpq-fe.h>

namespace postrider::pg {

server_state ping(const std::string& conninfo) {
    switch (PQping(conninfo.c_str())) {
        case PQPING_OK:
            return server_state::answering;
        case PQPING_REJECT:
            return server_state::not_ready;
        default:
            return server_state::silent;
    }
}

}  // namespace postrider::pg
