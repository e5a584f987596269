#include "support/faults/tcp_gate.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "support/test_database.hpp"

namespace postrider::test {
namespace {

[[noreturn]] void fail(const char* operation) {
    throw std::system_error(errno, std::generic_category(), operation);
}

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

template <typename Address>
int connected(int family, const Address& address) {
    const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(socket);
        return -1;
    }
    return socket;
}

}  // namespace

tcp_gate::tcp_gate() : tcp_gate(test_socket()) {}

tcp_gate::tcp_gate(std::string upstream) : upstream_(std::move(upstream)) {
    wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    bind_port();
    listen();
    thread_ = std::thread([this] { run(); });
}

tcp_gate::~tcp_gate() {
    order([this] { stopping_ = true; });
    thread_.join();
    ::close(listener_);
    ::close(wake_);
}

// A second socket takes the port over before the first is closed, so no other process gets it.
void tcp_gate::bind_port() {
    const int fresh = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int yes = 1;
    ::setsockopt(fresh, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes);
    auto address = loopback(port_);
    socklen_t size = sizeof address;
    if (::bind(fresh, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::getsockname(fresh, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        fail("tcp_gate: bind a port");
    }
    port_ = ntohs(address.sin_port);
    if (listener_ >= 0) {
        ::close(listener_);
    }
    listener_ = fresh;
    listening_ = false;
}

void tcp_gate::listen() {
    if (!listening_ && ::listen(listener_, SOMAXCONN) != 0) {
        fail("tcp_gate: listen");
    }
    listening_ = true;
}

int tcp_gate::connect_upstream() const {
    if (upstream_.starts_with('/')) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        upstream_.copy(address.sun_path, sizeof address.sun_path - 1);
        return connected(AF_UNIX, address);
    }
    const auto colon = upstream_.rfind(':');
    auto address = loopback(std::atoi(upstream_.c_str() + colon + 1));
    ::inet_pton(AF_INET, upstream_.substr(0, colon).c_str(), &address.sin_addr);
    return connected(AF_INET, address);
}

std::string tcp_gate::conninfo(const std::string& database) const {
    // Encryption off: the gate reads along to find the reply it is to swallow.
    return test_conninfo(database) + " host=127.0.0.1 port=" + std::to_string(port_) +
           " sslmode=disable gssencmode=disable";
}

void tcp_gate::pass() {
    order([this] {
        rules_ = {};
        cut_if([](const tcp_link& link) { return link.damaged(); });
        listen();
    });
}

void tcp_gate::cut() {
    order([this] { cut_if([](const tcp_link&) { return true; }); });
}

void tcp_gate::half_open() {
    order([this] { rules_.bytes = gate_rules::traffic::lost; });
}

void tcp_gate::hold() {
    order([this] { rules_.bytes = gate_rules::traffic::held; });
}

void tcp_gate::delay(milliseconds by) {
    order([this, by] { rules_.delay = by; });
}

void tcp_gate::small_parts(std::size_t bytes) {
    order([this, bytes] { rules_.part_max = bytes; });
}

void tcp_gate::swallow_next(std::string_view tag) {
    order([this, tag = std::string(tag)] { rules_.swallow = tag; });
}

void tcp_gate::refuse() {
    order([this] { bind_port(); });
}

void tcp_gate::lead_to(const std::string& upstream) {
    order([this, upstream] { upstream_ = upstream; });
}

gate_counts tcp_gate::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

void tcp_gate::wait_until(const std::function<bool(const gate_counts&)>& seen,
                          milliseconds timeout) const {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, timeout, [&] { return seen(counts_); })) {
        throw std::runtime_error("tcp_gate: waited in vain");
    }
}

void tcp_gate::wait_for_connections(int accepted) const {
    wait_until([=](const gate_counts& now) { return now.accepted >= accepted; });
}

void tcp_gate::order(std::function<void()> action) {
    std::unique_lock lock(mutex_);
    orders_.push_back(std::move(action));
    const auto mine = ++ordered_;
    ::eventfd_write(wake_, 1);
    changed_.wait(lock, [&] { return done_ >= mine; });
}

void tcp_gate::run() {
    while (!stopping_) {
        wait_for_events();
        // Atomic for readers: the counts include everything that a client has seen.
        const std::lock_guard lock(mutex_);
        for (const auto& action : std::exchange(orders_, {})) {
            action();
        }
        accept_all();
        work();
        done_ = ordered_;
        changed_.notify_all();
    }
}

void tcp_gate::wait_for_events() {
    std::vector<pollfd> sources{{wake_, POLLIN, 0}, {listening_ ? listener_ : -1, POLLIN, 0}};
    std::optional<tcp_link::clock::time_point> due;
    for (const auto& link : links_) {
        link->add_sources(sources, rules_);
        if (const auto then = link->next_due(rules_)) {
            due = due ? std::min(*due, *then) : then;
        }
    }
    int timeout = -1;
    if (due) {
        const auto left = std::chrono::ceil<milliseconds>(*due - tcp_link::clock::now());
        timeout = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }
    if (::poll(sources.data(), sources.size(), timeout) < 0 && errno != EINTR) {
        fail("tcp_gate: poll");
    }
    eventfd_t ignored = 0;
    ::eventfd_read(wake_, &ignored);
}

void tcp_gate::accept_all() {
    while (true) {
        const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) {
            return;
        }
        ++counts_.accepted;
        const bool lost = rules_.bytes == gate_rules::traffic::lost;
        links_.push_back(std::make_unique<tcp_link>(client, lost ? -1 : connect_upstream()));
    }
}

void tcp_gate::work() {
    counts_.waiting = 0;
    for (const auto& link : links_) {
        link->work(rules_, counts_);
        counts_.waiting += link->waiting();
    }
    std::erase_if(links_, [](const auto& link) { return link->over(); });
    counts_.open = static_cast<int>(links_.size());
}

void tcp_gate::cut_if(const std::function<bool(const tcp_link&)>& chosen) {
    for (const auto& link : links_) {
        if (chosen(*link)) {
            link->reset();
        }
    }
}

}  // namespace postrider::test
