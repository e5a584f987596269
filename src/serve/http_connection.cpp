#include "serve/http_connection.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

namespace postrider::serve {
namespace {

thread_local http_connection* current_connection = nullptr;
thread_local bool one_too_many = false;

constexpr int requests_max = 1000;

void describe(const sockaddr_storage& address, std::string& ip, int& port) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address.ss_family == AF_INET6) {
        const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
        ::inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
        port = ntohs(six.sin6_port);
    } else if (address.ss_family == AF_INET) {
        const auto& four = reinterpret_cast<const sockaddr_in&>(address);
        ::inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
        port = ntohs(four.sin_port);
    }
    ip = text.data();
}

}  // namespace

http_connection& http_connection::current() { return *current_connection; }

void http_connection::begin_request() {
    bytes_.set_deadline(transport::clock::now() + limits_.read_time);
    budget_ = head_max;
    writing_ = false;
}

void http_connection::begin_writing() {
    writing_ = true;
    bytes_.set_deadline(transport::clock::now() + limits_.write_time);
}

ssize_t http_connection::read(char* to, size_t size) {
    if (begin_ == end_) {
        if (budget_ == 0) {
            return -1;
        }
        const auto got = bytes_.read(buffer_.data(), std::min(buffer_.size(), budget_));
        if (got <= 0) {
            return got;
        }
        begin_ = 0;
        end_ = static_cast<std::size_t>(got);
        budget_ -= end_;
    }
    const auto taken = std::min(size, end_ - begin_);
    std::memcpy(to, buffer_.data() + begin_, taken);
    begin_ += taken;
    return static_cast<ssize_t>(taken);
}

ssize_t http_connection::write(const char* from, size_t size) {
    if (!writing_) {
        begin_writing();
    }
    return bytes_.write(from, size);
}

void http_connection::get_remote_ip_and_port(std::string& ip, int& port) const {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getpeername(bytes_.socket(), reinterpret_cast<sockaddr*>(&address), &size) == 0) {
        describe(address, ip, port);
    }
}

void http_connection::get_local_ip_and_port(std::string& ip, int& port) const {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getsockname(bytes_.socket(), reinterpret_cast<sockaddr*>(&address), &size) == 0) {
        describe(address, ip, port);
    }
}

http_server::http_server(const serve_options& limits, const tls_identity* identity)
    : limits_(limits), identity_(identity) {
    new_task_queue = [&limits] { return new connection_threads(limits.connections_max); };
    set_idle_interval(std::chrono::milliseconds(500));
    // Refused before, by what the route allows.
    set_payload_max_length(limits.edit_body_max);
}

void http_server::refuse(transport& bytes) {
    constexpr std::string_view answer =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\n"
        "Connection: close\r\n\r\n";
    bytes.set_deadline(transport::clock::now());
    if (identity_ == nullptr) {
        bytes.write(answer.data(), answer.size());
    }
}

bool http_server::process_and_close_socket(socket_t socket) {
    transport bytes(socket, identity_, stopping_);
    if (connection_threads::overloaded()) {
        refuse(bytes);
        return false;
    }
    ++connections_;
    http_connection stream(bytes, limits_);
    current_connection = &stream;
    bytes.set_deadline(transport::clock::now() + limits_.read_time);
    bool closed = !bytes.begin();
    for (int left = requests_max; !closed && left > 0 && !stream.closes(); --left) {
        bytes.set_deadline(transport::clock::now() + limits_.idle_time);
        if (!stream.has_more() && !bytes.wait_readable()) {
            break;
        }
        stream.begin_request();
        if (!process_request(stream, left == 1, closed, nullptr)) {
            break;
        }
    }
    if (stream.closes()) {
        bytes.finish();
    }
    current_connection = nullptr;
    --connections_;
    return true;
}

bool connection_threads::overloaded() { return one_too_many; }

void connection_threads::join_finished() {
    const std::lock_guard lock(mutex_);
    threads_.remove_if([](entry& one) {
        if (one.finished) {
            one.thread.join();
            return true;
        }
        return false;
    });
}

void connection_threads::enqueue(std::function<void()> work) {
    join_finished();
    const std::lock_guard lock(mutex_);
    if (static_cast<int>(threads_.size()) >= threads_max_) {
        one_too_many = true;
        work();
        one_too_many = false;
        return;
    }
    auto& place = threads_.emplace_back();
    place.thread = std::thread([work = std::move(work), &place] {
        work();
        place.finished = true;
    });
}

void connection_threads::shutdown() {
    const std::lock_guard lock(mutex_);
    for (auto& one : threads_) {
        one.thread.join();
    }
    threads_.clear();
}

}  // namespace postrider::serve
