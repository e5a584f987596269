#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace postrider::test {

/// A TCP connection on loopback, below HTTP.
class raw_connection {
  public:
    /// `from`: the address of this end, any of 127.0.0.0/8. `receive_buffer`: bytes that the kernel
    /// takes before the other side has to wait; 0: as usual.
    explicit raw_connection(int port, const char* from = "127.0.0.1", int receive_buffer = 0)
        : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        if (receive_buffer > 0) {
            ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        }
        timeval timeout{20, 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
        auto here = address(0);
        ::inet_pton(AF_INET, from, &here.sin_addr);
        EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&here), sizeof here), 0);
        const auto there = address(port);
        EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&there), sizeof there), 0);
    }
    raw_connection(const raw_connection&) = delete;
    raw_connection& operator=(const raw_connection&) = delete;
    ~raw_connection() { ::close(socket_); }

    bool send(const std::string& text) const {
        return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(text.size());
    }
    /// Whether the other side sends bytes or closes the connection within this time.
    bool hears_within(int milliseconds) const {
        pollfd waiting{socket_, POLLIN, 0};
        return ::poll(&waiting, 1, milliseconds) > 0;
    }
    /// The next received piece; empty when the other side has closed.
    std::string read_some() const {
        char part[4096];
        const auto got = ::recv(socket_, part, sizeof part, 0);
        return {part, static_cast<std::size_t>(got > 0 ? got : 0)};
    }
    /// The received bytes up to `text`.
    std::string read_until(const std::string& text) const {
        std::string all;
        while (all.find(text) == std::string::npos) {
            const auto part = read_some();
            if (part.empty()) {
                break;
            }
            all += part;
        }
        return all;
    }
    /// All bytes until the other side closes.
    std::string read_to_end() const {
        std::string all;
        for (auto part = read_some(); !part.empty(); part = read_some()) {
            all += part;
        }
        return all;
    }

  private:
    static sockaddr_in address(int port) {
        sockaddr_in made{};
        made.sin_family = AF_INET;
        made.sin_port = htons(static_cast<std::uint16_t>(port));
        made.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return made;
    }

    int socket_;
};

}  // namespace postrider::test
