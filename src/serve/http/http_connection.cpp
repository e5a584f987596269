#include "serve/http/http_connection.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "serve/auth/gate.hpp"
#include "serve/http/problem.hpp"

namespace postrider::serve {
namespace {

thread_local http_connection* current_connection = nullptr;

using clock = transport::clock;

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

const char* reason_phrase(int status) {
    switch (status) {
        case 411:
            return "Length Required";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 417:
            return "Expectation Failed";
        case 431:
            return "Request Header Fields Too Large";
        case 505:
            return "HTTP Version Not Supported";
        default:
            return "Bad Request";
    }
}

using address_call = int (*)(int, sockaddr*, socklen_t*);

void look_up(address_call call, int socket, std::string& ip, int& port) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (call(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
        describe(address, ip, port);
    }
}

}  // namespace

std::string peer_address(int socket) {
    std::string ip;
    int port = 0;
    look_up(::getpeername, socket, ip, port);
    return ip;
}

http_connection::http_connection(transport& bytes, connection_table::seat& seat,
                                 byte_budget& budget, const serve_options& limits)
    : bytes_(bytes), seat_(seat), budget_(budget), limits_(limits) {
    current_connection = this;
}

http_connection::~http_connection() { current_connection = nullptr; }

http_connection& http_connection::current() { return *current_connection; }

bool http_connection::fill(clock::time_point deadline) {
    std::array<char, 4096> piece{};
    bytes_.set_deadline(deadline);
    const auto got = bytes_.read(piece.data(), piece.size());
    if (got <= 0) {
        return false;
    }
    received_.append(piece.data(), static_cast<std::size_t>(got));
    return true;
}

bool http_connection::receive_head() {
    held_ = byte_budget::share();
    head_.clear();
    head_.shrink_to_fit();
    head_at_ = 0;
    writing_ = false;
    body_over_budget_ = false;
    seat_.begin_waiting();
    constexpr std::chrono::seconds health_time{2};
    if (received_.empty() &&
        !fill(clock::now() + (seat_.health_only() ? health_time : limits_.idle_time))) {
        return false;
    }
    const auto deadline = clock::now() + (seat_.health_only() ? health_time : limits_.read_time);
    auto progress = find_head_end(received_);
    while (progress.state == head_progress::incomplete) {
        if (received_.size() > head_max) {
            return refuse(431, "the head of a request must have at most " +
                                   std::to_string(head_max) + " bytes");
        }
        const auto seen = received_.size();
        if (!fill(deadline)) {
            return false;
        }
        progress = find_head_end(received_, seen);
    }
    if (!seat_.begin_request()) {
        return false;
    }
    if (progress.state == head_progress::malformed) {
        return refuse(400, "a line must end with CR LF");
    }
    auto parsed = parse_head(std::string_view(received_).substr(0, progress.size));
    if (parsed.status != 0) {
        return refuse(parsed.status, parsed.detail);
    }
    received_.erase(0, progress.size);
    head_ = std::move(parsed.text);
    body_left_ = parsed.content_length;
    gzip_ = parsed.gzip;
    expects_continue_ = parsed.expects_continue;
    return true;
}

bool http_connection::refuse(int status, const std::string& detail) {
    const problem refusal{.code = errc::invalid_argument, .detail = detail, .status = status};
    const auto body = refusal.json();
    auto text =
        "HTTP/1.1 " + std::to_string(status) + " " + reason_phrase(status) +
        "\r\nConnection: close\r\nCache-Control: no-store\r\nContent-Type: " + problem_type +
        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
    for (const auto& [name, value] : gate::headers(bytes_.encrypted())) {
        text += name;
        text += ": " + value + "\r\n";
    }
    send(text + "\r\n" + body);
    close_after();
    return false;
}

void http_connection::send(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto sent = write(text.data() + at, text.size() - at);
        if (sent <= 0) {
            break;
        }
        at += static_cast<std::size_t>(sent);
    }
}

void http_connection::begin_body() {
    if (expects_continue_ && received_.size() < body_left_) {
        send("HTTP/1.1 100 Continue\r\n\r\n");
    }
    writing_ = false;
    bytes_.set_deadline(clock::now() + limits_.read_time);
}

void http_connection::begin_writing() {
    writing_ = true;
    bytes_.set_deadline(clock::now() + limits_.write_time);
}

bool http_connection::hold(std::size_t bytes) {
    if (held_) {
        return held_.grow(bytes);
    }
    held_ = budget_.take(bytes);
    return static_cast<bool>(held_);
}

bool http_connection::count_body(std::size_t bytes) {
    if (!hold(bytes * held_per_body_byte)) {
        body_over_budget_ = true;
        return false;
    }
    body_left_ -= bytes;
    return true;
}

ssize_t http_connection::read(char* to, size_t size) {
    if (head_at_ < head_.size()) {
        const auto taken = head_.copy(to, size, head_at_);
        head_at_ += taken;
        return static_cast<ssize_t>(taken);
    }
    const auto wanted = std::min(size, body_left_);
    if (wanted == 0) {
        return 0;
    }
    auto got = static_cast<ssize_t>(received_.copy(to, wanted));
    if (got > 0) {
        received_.erase(0, static_cast<std::size_t>(got));
    } else {
        got = bytes_.read(to, wanted);
    }
    return got <= 0 || count_body(static_cast<std::size_t>(got)) ? got : -1;
}

ssize_t http_connection::write(const char* from, size_t size) {
    if (!writing_) {
        begin_writing();
    }
    return bytes_.write(from, size);
}

void http_connection::get_remote_ip_and_port(std::string& ip, int& port) const {
    look_up(::getpeername, bytes_.socket(), ip, port);
}

void http_connection::get_local_ip_and_port(std::string& ip, int& port) const {
    look_up(::getsockname, bytes_.socket(), ip, port);
}

}  // namespace postrider::serve
