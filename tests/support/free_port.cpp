#include "support/free_port.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <stdexcept>

#include "base/descriptor.hpp"

namespace postrider::test {

int free_port() {
    const descriptor one(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* where = reinterpret_cast<sockaddr*>(&address);
    if (::bind(one.get(), where, length) != 0 || ::getsockname(one.get(), where, &length) != 0) {
        throw std::runtime_error("no free port");
    }
    return ntohs(address.sin_port);
}

}  // namespace postrider::test
