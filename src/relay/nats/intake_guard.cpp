#include "relay/nats/intake_guard.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/blocked_signals.hpp"
#include "relay/nats/nats_connection.hpp"

namespace postrider::relaying {
namespace {

constexpr auto look_every = std::chrono::milliseconds(250);
// A server allows 64 MB for one message at most.
constexpr std::uint64_t incomplete_max = 128U << 20U;
constexpr int sockets_max = 16'384;

using nats_statistics = std::unique_ptr<natsStatistics, nats_free<natsStatistics_Destroy>>;

std::optional<int> local_port(natsConnection* connection) {
    char* address = nullptr;
    int port = 0;
    if (natsConnection_GetLocalIPAndPort(connection, &address, &port) != NATS_OK) {
        return std::nullopt;
    }
    std::free(address);
    return port;
}

int port_of(int socket, decltype(&::getsockname) end) {
    sockaddr_storage name{};
    socklen_t length = sizeof name;
    if (end(socket, reinterpret_cast<sockaddr*>(&name), &length) != 0) {
        return -1;
    }
    switch (name.ss_family) {
        case AF_INET:
            return ntohs(reinterpret_cast<sockaddr_in&>(name).sin_port);
        case AF_INET6:
            return ntohs(reinterpret_cast<sockaddr_in6&>(name).sin6_port);
        default:
            return -1;
    }
}

// libnats does not expose its socket, so it is found by the client's port, which only one
// connection to the server has.
int socket_of(natsConnection* connection) {
    const auto port = local_port(connection);
    for (int socket = 0; port && socket < sockets_max; ++socket) {
        if (port_of(socket, ::getsockname) == *port && port_of(socket, ::getpeername) > 0) {
            return socket;
        }
    }
    return -1;
}

std::uint64_t bytes_received(int socket) {
    tcp_info info{};
    socklen_t length = sizeof info;
    constexpr auto needed =
        offsetof(tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received;
    return ::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 && length >= needed
               ? info.tcpi_bytes_received
               : 0;
}

std::uint64_t messages_received(natsConnection* connection) {
    natsStatistics* raw = nullptr;
    std::uint64_t messages = 0;
    if (natsStatistics_Create(&raw) == NATS_OK) {
        const nats_statistics all(raw);
        if (natsConnection_GetStats(connection, raw) == NATS_OK) {
            natsStatistics_GetCounts(raw, &messages, nullptr, nullptr, nullptr, nullptr);
        }
    }
    return messages;
}

}  // namespace

intake_guard::intake_guard(natsConnection* connection)
    : connection_(connection), socket_(socket_of(connection)) {
    const blocked_signals in_thread;
    thread_ = std::thread([this] { watch(); });
}

intake_guard::~intake_guard() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void intake_guard::watch() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, look_every, [this] { return ended_; })) {
        if (natsConnection_Status(connection_) != NATS_CONN_STATUS_CONNECTED) {
            return;
        }
        if (is_too_much()) {
            natsConnection_Close(connection_);
            return;
        }
    }
}

bool intake_guard::is_too_much() {
    const auto messages = messages_received(connection_);
    const auto bytes = bytes_received(socket_);
    if (messages != messages_) {
        messages_ = messages;
        bytes_ = bytes;
    }
    return bytes > bytes_ + incomplete_max;
}

}  // namespace postrider::relaying
