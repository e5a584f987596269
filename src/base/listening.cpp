#include "base/listening.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>

namespace postrider {

descriptor listen_at(const std::string& address, int port) {
    constexpr int backlog = 128;
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    if (::getaddrinfo(address.empty() ? nullptr : address.c_str(), std::to_string(port).c_str(),
                      &wanted, &found) != 0) {
        errno = EADDRNOTAVAIL;
        return {};
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> freed(found, ::freeaddrinfo);
    for (const auto* one = found; one != nullptr; one = one->ai_next) {
        descriptor made(::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        const int yes = 1;
        ::setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (made.get() >= 0 && ::bind(made.get(), one->ai_addr, one->ai_addrlen) == 0 &&
            ::listen(made.get(), backlog) == 0) {
            return made;
        }
    }
    return {};
}

int port_of(int socket) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.ss_family == AF_INET6
                     ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                     : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace postrider
