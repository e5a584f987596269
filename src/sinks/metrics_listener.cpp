#include "sinks/metrics_listener.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "base/blocked_signals.hpp"
#include "base/listening.hpp"
#include "sinks/metrics_answer.hpp"

namespace postrider {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds answer_time{5};
// For the client's part of the end of a connection.
constexpr std::chrono::seconds close_time{1};
constexpr std::size_t connections_max = 128;
constexpr std::size_t head_max = 16 << 10;
constexpr std::size_t answers_max = 64 << 20;  ///< bytes that clients have not read

descriptor open_at(std::string_view address) {
    const auto colon = address.rfind(':');
    auto host = colon == std::string_view::npos ? "" : address.substr(0, colon);
    const auto digits = colon == std::string_view::npos ? address : address.substr(colon + 1);
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
    }
    std::uint16_t port = 0;
    const auto* const end = digits.data() + digits.size();
    const auto [stopped, problem] = std::from_chars(digits.data(), end, port);
    if (digits.empty() || problem != std::errc() || stopped != end) {
        throw std::invalid_argument("an address must be ADDRESS:PORT");
    }
    auto made = listen_at(std::string(host), port);
    if (made.get() < 0) {
        throw std::runtime_error(std::generic_category().message(errno));
    }
    return made;
}

bool again() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

metrics_listener::metrics_listener(const std::string& listen, std::function<std::string()> text)
    : text_(std::move(text)), listening_(open_at(listen)) {
    const blocked_signals meanwhile;
    thread_ = std::thread([this] { run(); });
}

metrics_listener::~metrics_listener() {
    stop_.write.close();
    thread_.join();
}

int metrics_listener::port() const { return port_of(listening_.get()); }

void metrics_listener::run() {
    while (true) {
        try {
            if (!wait()) {
                return;
            }
            advance_all();
        } catch (const std::exception&) {
            // Most likely out of memory.
            connections_.clear();
        }
    }
}

// Waits for the next event and accepts a connection; false when the listener stops.
bool metrics_listener::wait() {
    std::vector<pollfd> events{{stop_.read.get(), POLLIN, 0}, {listening_.get(), POLLIN, 0}};
    auto next = clock::time_point::max();
    for (const auto& one : connections_) {
        const short event = one.state == connection::writing ? POLLOUT : POLLIN;
        events.push_back({one.socket.get(), event, 0});
        next = std::min(next, one.deadline);
    }
    const auto left = std::chrono::ceil<milliseconds>(next - clock::now()).count();
    const auto timeout = connections_.empty() ? -1 : static_cast<int>(std::max(left, {}));
    if (::poll(events.data(), events.size(), timeout) < 0) {
        return true;
    }
    auto event = events.begin() + 2;
    for (auto& one : connections_) {
        one.ready = (event++)->revents != 0;
    }
    if (events[1].revents != 0) {
        accept_one();
    }
    return events.front().revents == 0;
}

void metrics_listener::accept_one() {
    descriptor made(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (made.get() >= 0) {
        connections_.push_back({std::move(made), clock::now() + answer_time});
        if (connections_.size() > connections_max) {
            connections_.pop_front();
        }
    } else if (!again() && errno != ECONNABORTED) {
        // Most likely all file descriptors are in use, also by other parts of the program.
        if (!connections_.empty()) {
            connections_.pop_front();
        }
        std::this_thread::sleep_for(milliseconds(10));
    }
}

void metrics_listener::advance_all() {
    const auto now = clock::now();
    for (auto one = connections_.begin(); one != connections_.end();) {
        const bool writing = one->state == connection::writing;
        const bool open =
            now < one->deadline && (!one->ready || (writing ? write(*one) : read(*one)));
        one = open ? std::next(one) : connections_.erase(one);
    }
}

// False when the connection has ended, like write().
bool metrics_listener::read(connection& one) {
    std::array<char, 4096> piece;
    const auto got = ::recv(one.socket.get(), piece.data(), piece.size(), 0);
    if (got <= 0 || one.state == connection::closing) {
        return got > 0 || (got < 0 && again());
    }
    one.received.append(piece.data(), static_cast<std::size_t>(got));
    const auto end = one.received.find("\r\n\r\n");
    if (end == std::string::npos) {
        return one.received.size() <= head_max;
    }
    one.answer = metrics_answer(std::string_view(one.received).substr(0, end + 2), text_);
    one.received = {};
    one.state = connection::writing;
    limit_answers(one);
    return write(one);
}

bool metrics_listener::write(connection& one) {
    const auto done = ::send(one.socket.get(), one.answer.data() + one.sent,
                             one.answer.size() - one.sent, MSG_NOSIGNAL);
    if (done < 0) {
        return again();
    }
    one.sent += static_cast<std::size_t>(done);
    if (one.sent == one.answer.size()) {
        // To close it now would discard the answer if the client is still sending.
        ::shutdown(one.socket.get(), SHUT_WR);
        one.answer = {};
        one.state = connection::closing;
        one.deadline = std::min(one.deadline, clock::now() + close_time);
    }
    return true;
}

// Answers that their clients do not read would fill the memory.
void metrics_listener::limit_answers(const connection& newest) {
    std::size_t bytes = 0;
    for (const auto& one : connections_) {
        bytes += one.answer.size();
    }
    while (bytes > answers_max && &connections_.front() != &newest) {
        bytes -= connections_.front().answer.size();
        connections_.pop_front();
    }
}

}  // namespace postrider
