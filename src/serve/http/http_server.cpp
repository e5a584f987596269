#include "serve/http/http_server.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <postrider/error.hpp>

#include "base/fault_points.hpp"
#include "base/listening.hpp"
#include "serve/http/http_connection.hpp"

namespace postrider::serve {
namespace {

constexpr int requests_max = 1000;

/// A socket that is closed unless another owner takes it over.
class owned_socket {
  public:
    explicit owned_socket(int socket) : socket_(socket) {}
    owned_socket(const owned_socket&) = delete;
    owned_socket& operator=(const owned_socket&) = delete;
    ~owned_socket() {
        if (socket_ >= 0) {
            ::close(socket_);
        }
    }
    int get() const { return socket_; }
    int release() { return std::exchange(socket_, -1); }

  private:
    int socket_;
};

}  // namespace

http_server::http_server(const serve_options& limits, const tls_identity* identity)
    : limits_(limits),
      identity_(identity),
      budget_(limits.in_flight_max),
      table_(limits.connections) {
    // The gate enforces the body limit of the route.
    set_payload_max_length(limits.edit_body_max);
    set_keep_alive_max_count(requests_max);
    set_keep_alive_timeout(
        std::chrono::duration_cast<std::chrono::seconds>(limits.idle_time).count());
}

http_server::~http_server() { stop_serving(); }

void http_server::start(const std::string& address, int port,
                        const std::function<void(int)>& tell_port) {
    listening_ = listen_at(address, port);
    if (listening_.get() < 0) {
        throw error(errc::config_invalid,
                    "cannot listen at " + address + ":" + std::to_string(port) +
                        ": it is in use or not an address of this machine; see --port");
    }
    // cpp-httplib stops writing streams when it has no socket.
    svr_sock_ = listening_.get();
    tell_port(port_of(listening_.get()));
    accepting_ = std::thread([this] { accept_all(); });
}

void http_server::stop_serving() {
    stopping_ = true;
    svr_sock_ = INVALID_SOCKET;
    if (listening_.get() < 0) {
        return;
    }
    ::shutdown(listening_.get(), SHUT_RDWR);
    if (accepting_.joinable()) {
        accepting_.join();
    }
    table_.close_all();
    for (auto& one : conversations_) {
        one.thread.join();
    }
    conversations_.clear();
    listening_.close();
}

void http_server::accept_all() {
    while (!stopping_) {
        try {
            accept_one();
        } catch (...) {
            // Most likely out of memory. Open connections continue.
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
}

void http_server::accept_one() {
    constexpr int timeout_ms = 500;
    pollfd waiting{listening_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, timeout_ms) <= 0 || stopping_) {
        join_finished();
        return;
    }
    POSTRIDER_FAULT("serve.accept");
    const int socket = ::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket >= 0) {
        join_finished();
        begin_conversation(socket);
        return;
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
        table_.close_waiting();
    }
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

void http_server::begin_conversation(int socket) {
    owned_socket guard(socket);
    auto mine = table_.admit(socket, peer_address(socket));
    if (!mine) {
        return;
    }
    auto& place = conversations_.emplace_back();
    try {
        place.thread = std::thread([this, socket, mine = std::move(mine), &place]() mutable {
            // An exception that left the thread would end the process.
            try {
                converse(socket, std::move(mine));
            } catch (...) {
                // The connection is closed already, so no answer can be sent.
            }
            place.finished = true;
        });
    } catch (...) {
        conversations_.pop_back();
        throw;
    }
    guard.release();
}

void http_server::converse(int socket, seat assigned) {
    owned_socket guard(socket);
    std::unique_ptr<transport> bytes;
    // Destroyed first: the table may shut the socket down as long as the seat exists, and after
    // close() its number may belong to another connection.
    const seat mine = std::move(assigned);
    bytes = std::make_unique<transport>(guard.get(), identity_, stopping_);
    guard.release();
    converse(*bytes, *mine);
}

// cpp-httplib 0.16 and later needs the addresses.
template <typename Stream>
bool http_server::answer(Stream& stream, bool last, bool& closed) {
    if constexpr (requires { this->process_request(stream, last, closed, nullptr); }) {
        return this->process_request(stream, last, closed, nullptr);
    } else {
        std::string remote;
        std::string local;
        int remote_port = 0;
        int local_port = 0;
        stream.get_remote_ip_and_port(remote, remote_port);
        stream.get_local_ip_and_port(local, local_port);
        return this->process_request(stream, remote, remote_port, local, local_port, last, closed,
                                     nullptr);
    }
}

void http_server::converse(transport& bytes, connection_table::seat& mine) {
    http_connection stream(bytes, mine, budget_, limits_);
    bytes.set_deadline(transport::clock::now() + limits_.read_time);
    bool closed = !bytes.begin();
    for (int left = mine.health_only() ? 1 : requests_max; !closed && left > 0; --left) {
        if (!stream.receive_head()) {
            break;
        }
        POSTRIDER_FAULT("serve.answer");
        if (left == 1) {
            stream.close_after();
        }
        if (!answer(stream, left == 1, closed) || stream.closes()) {
            break;
        }
    }
    if (stream.closes()) {
        mine.begin_waiting();
        bytes.finish();
    }
}

void http_server::join_finished() {
    conversations_.remove_if([](conversation& one) {
        if (one.finished) {
            one.thread.join();
            return true;
        }
        return false;
    });
}

}  // namespace postrider::serve
