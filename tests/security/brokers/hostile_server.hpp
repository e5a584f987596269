#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>

namespace postrider::test {

/// A connection as the hostile server sees it.
class hostile_peer {
  public:
    explicit hostile_peer(int socket) : socket_(socket) {}

    /// Bytes that arrived, empty when the client has gone.
    std::string receive() const {
        std::string text(65'536, '\0');
        const auto got = ::recv(socket_, text.data(), text.size(), 0);
        text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return text;
    }
    /// False when the client has gone.
    bool send(const std::string& text) const {
        return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(text.size());
    }
    /// Sends the text repeatedly until the client has gone.
    void send_forever(const std::string& text, std::chrono::milliseconds pause = {}) const {
        while (send(text)) {
            std::this_thread::sleep_for(pause);
        }
    }

  private:
    int socket_;
};

/// A server on loopback that serves one client after the other with a function of the test.
class hostile_server {
  public:
    explicit hostile_server(std::function<void(const hostile_peer&)> talk)
        : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), talk_(std::move(talk)) {
        sockaddr_in here{};
        here.sin_family = AF_INET;
        here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof here;
        ::bind(socket_, reinterpret_cast<sockaddr*>(&here), length);
        ::listen(socket_, 8);
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&here), &length);
        port_ = ntohs(here.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    hostile_server(const hostile_server&) = delete;
    hostile_server& operator=(const hostile_server&) = delete;
    ~hostile_server() {
        ::shutdown(socket_, SHUT_RDWR);
        ::shutdown(client_, SHUT_RDWR);
        thread_.join();
        ::close(socket_);
    }

    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  private:
    void serve() {
        while (true) {
            client_ = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
            if (client_ < 0) {
                return;
            }
            talk_(hostile_peer(client_));
            ::close(client_.exchange(-1));
        }
    }

    const int socket_;
    const std::function<void(const hostile_peer&)> talk_;
    std::uint16_t port_ = 0;
    std::atomic<int> client_ = -1;
    std::thread thread_;
};

}  // namespace postrider::test
