#pragma once

#include <httplib.h>

#include <string>

#include "serve/http/byte_budget.hpp"
#include "serve/http/connection_table.hpp"
#include "serve/http/request_head.hpp"
#include "serve/http/transport.hpp"
#include "serve/options.hpp"

namespace postrider::serve {

/// The stream of cpp-httplib for one connection. It passes on exactly one checked head and the body
/// of its Content-Length, so that cpp-httplib cannot read beyond a request.
class http_connection : public httplib::Stream {
  public:
    http_connection(transport& bytes, connection_table::seat& seat, byte_budget& budget,
                    const serve_options& limits);
    http_connection(const http_connection&) = delete;
    http_connection& operator=(const http_connection&) = delete;
    ~http_connection() override;

    /// The connection whose request this thread is answering.
    static http_connection& current();

    /// Waits for the next request and reads its head. False when there is none: the connection was
    /// closed, too slow, or the head was refused with an answer.
    bool receive_head();
    /// Asks the client for the body if it waits for that, and starts the deadline of the body.
    void begin_body();
    /// Bytes of the current request's body that were not read yet.
    std::size_t body_left() const { return body_left_; }
    /// Whether the client of the current request accepts gzip.
    bool accepts_gzip() const { return gzip_; }
    /// Starts the write deadline.
    void begin_writing();
    /// Counts this many bytes against the budget until the next request; false when it is spent.
    bool hold(std::size_t bytes);
    /// The same for the next piece of a response that is sent in pieces: the piece before is gone.
    bool hold_instead(std::size_t bytes) {
        held_ = byte_budget::share();
        return hold(bytes);
    }
    /// The body counts against the budget as it arrives, with this many bytes per byte: its text
    /// grows by doubling.
    static constexpr std::size_t held_per_body_byte = 2;
    /// Whether the rest of the body was not read because the budget is spent.
    bool body_over_budget() const { return body_over_budget_; }
    /// Closes the connection after the response; further input is ignored.
    void close_after() { close_after_ = true; }
    bool closes() const { return close_after_ || body_left_ > 0; }
    connection_table::seat& seat() { return seat_; }

    bool is_readable() const override { return true; }
    bool is_writable() const override { return true; }
    ssize_t read(char* to, size_t size) override;
    ssize_t write(const char* from, size_t size) override;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    /// cpp-httplib only compares it with FD_SETSIZE, for a select() that this class does not use.
    socket_t socket() const override { return 0; }

  private:
    bool fill(transport::clock::time_point deadline);
    bool refuse(int status, const std::string& detail);
    void send(const std::string& text);
    bool count_body(std::size_t bytes);

    transport& bytes_;
    connection_table::seat& seat_;
    byte_budget& budget_;
    const serve_options& limits_;
    byte_budget::share held_;
    std::string received_;       ///< read from the socket and not handed on
    std::string head_;           ///< checked, not handed on
    std::size_t head_at_ = 0;    ///< of head_, where the part that is not handed on begins
    std::size_t body_left_ = 0;  ///< of the current request
    bool gzip_ = false;
    bool expects_continue_ = false;
    bool body_over_budget_ = false;
    bool writing_ = false;
    bool close_after_ = false;
};

/// The address of the other end of a socket; empty when it is gone.
std::string peer_address(int socket);

}  // namespace postrider::serve
