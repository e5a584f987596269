#include "support/faults/tcp_link.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace postrider::test {
namespace {

constexpr std::size_t waiting_max = 1U << 20U;

void prepare(int socket) {
    if (socket >= 0) {
        ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
        const int yes = 1;
        // Fails for Unix sockets, which never wait to fill a packet anyway.
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }
}

void close_socket(int socket) {
    if (socket >= 0) {
        ::close(socket);
    }
}

}  // namespace

tcp_link::tcp_link(int client, int server) : up_{client, server}, down_{server, client} {
    prepare(client);
    prepare(server);
    down_.ended = server < 0;
    damaged_ = server < 0;
}

tcp_link::~tcp_link() {
    close_socket(up_.from);
    close_socket(up_.to);
}

void tcp_link::reset() {
    const linger at_once{1, 0};
    ::setsockopt(up_.from, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ::setsockopt(down_.from, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    over_ = true;
}

std::size_t tcp_link::waiting() const { return up_.size + down_.size; }

void tcp_link::add_sources(std::vector<pollfd>& to, const gate_rules& rules) const {
    for (const auto& [in, out] : {std::pair(&up_, &down_), std::pair(&down_, &up_)}) {
        short events = 0;
        if (!in->ended && in->size < waiting_max) {
            events |= POLLIN;
        }
        if (out->blocked && rules.bytes == gate_rules::traffic::flowing) {
            events |= POLLOUT;
        }
        // poll(2) would report the end of a socket repeatedly, even with no events requested.
        to.push_back({events == 0 ? -1 : in->from, events, 0});
    }
}

std::optional<tcp_link::clock::time_point> tcp_link::next_due(const gate_rules& rules) const {
    std::optional<clock::time_point> due;
    for (const auto* one : {&up_, &down_}) {
        if (rules.bytes == gate_rules::traffic::flowing && !one->waiting.empty() && !one->blocked) {
            const auto then = one->waiting.front().arrived + rules.delay;
            due = due ? std::min(*due, then) : then;
        }
    }
    return due;
}

void tcp_link::work(gate_rules& rules, gate_counts& counts) {
    read(up_, rules, counts);
    read(down_, rules, counts);
    if (rules.bytes != gate_rules::traffic::flowing) {
        over_ = over_ || (up_.ended && down_.ended);
        return;
    }
    write(up_, rules, counts.to_server, counts.writes);
    write(down_, rules, counts.to_client, counts.writes);
    // The last bytes of one side have to arrive before the other side sees its end.
    over_ = over_ || ((up_.ended || down_.ended) && waiting() == 0);
}

void tcp_link::read(way& one, gate_rules& rules, gate_counts& counts) {
    std::array<char, 16384> buffer{};
    while (!over_ && !one.ended && one.size < waiting_max) {
        const auto got = ::recv(one.from, buffer.data(), buffer.size(), 0);
        if (got > 0) {
            keep(one, std::string(buffer.data(), static_cast<std::size_t>(got)), rules, counts);
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            one.ended = true;
        } else if (errno == EAGAIN) {
            return;
        }
    }
}

void tcp_link::keep(way& one, std::string bytes, gate_rules& rules, gate_counts& counts) {
    if (rules.bytes == gate_rules::traffic::lost) {
        damaged_ = true;
        counts.lost += bytes.size();
        return;
    }
    if (&one == &down_ && scanner_.find(bytes, rules.swallow)) {
        rules.swallow.clear();
        ++counts.swallowed;
        counts.lost += bytes.size();
        reset();
        return;
    }
    one.size += bytes.size();
    one.waiting.push_back({clock::now(), std::move(bytes)});
}

void tcp_link::write(way& one, const gate_rules& rules, std::uint64_t& passed,
                     std::uint64_t& writes) {
    one.blocked = false;
    while (!over_ && !one.waiting.empty() &&
           one.waiting.front().arrived + rules.delay <= clock::now()) {
        auto& bytes = one.waiting.front().bytes;
        const auto part =
            rules.part_max == 0 ? bytes.size() : std::min(bytes.size(), rules.part_max);
        const auto sent = ::send(one.to, bytes.data(), part, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0 && errno == EAGAIN) {
            one.blocked = true;
            return;
        }
        if (sent < 0) {
            // The receiver is gone; the other direction may still have data.
            one.ended = true;
            one.waiting.clear();
            one.size = 0;
            return;
        }
        ++writes;
        passed += static_cast<std::uint64_t>(sent);
        one.size -= static_cast<std::size_t>(sent);
        bytes.erase(0, static_cast<std::size_t>(sent));
        if (bytes.empty()) {
            one.waiting.pop_front();
        }
    }
}

}  // namespace postrider::test
