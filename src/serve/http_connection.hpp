#pragma once

#include <httplib.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <list>
#include <mutex>
#include <string>
#include <thread>

#include "serve/options.hpp"
#include "serve/transport.hpp"

namespace postrider::serve {

/// What cpp-httplib reads a request from and writes the answer to.
class http_connection : public httplib::Stream {
  public:
    http_connection(transport& bytes, const serve_options& limits)
        : bytes_(bytes), limits_(limits) {}

    /// The connection whose request this thread is answering.
    static http_connection& current();

    /// Another request: it must arrive soon, and its head must be small.
    void begin_request();
    /// The body may be this long.
    void allow_body(std::size_t bytes) { budget_ = bytes + head_max; }
    /// What is written from now on must leave soon.
    void begin_writing();
    /// Nothing that follows on this connection is to be trusted.
    void close_after() { close_after_ = true; }
    bool closes() const { return close_after_; }

    bool is_readable() const override { return true; }
    bool is_writable() const override { return true; }
    ssize_t read(char* to, size_t size) override;
    ssize_t write(const char* from, size_t size) override;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    socket_t socket() const override { return bytes_.socket(); }
    bool has_more() const { return begin_ < end_; }

    static constexpr std::size_t head_max = 64 << 10;

  private:
    transport& bytes_;
    const serve_options& limits_;
    std::array<char, 16384> buffer_{};
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t budget_ = head_max;
    bool writing_ = false;
    bool close_after_ = false;
};

/// cpp-httplib's server above our own transport.
class http_server : public httplib::Server {
  public:
    http_server(const serve_options& limits, const tls_identity* identity);

    /// Ends waiting in every connection; stop() then returns soon.
    void interrupt() { stopping_ = true; }
    const std::atomic<bool>& stopping() const { return stopping_; }
    /// Connections there are.
    int connections() const { return connections_; }

  private:
    bool process_and_close_socket(socket_t socket) override;
    void refuse(transport& bytes);

    const serve_options& limits_;
    const tls_identity* identity_;
    std::atomic<bool> stopping_ = false;
    std::atomic<int> connections_ = 0;
};

/// One thread per connection.
class connection_threads : public httplib::TaskQueue {
  public:
    explicit connection_threads(int threads_max) : threads_max_(threads_max) {}
    ~connection_threads() override { shutdown(); }

    void enqueue(std::function<void()> work) override;
    void shutdown() override;
    void on_idle() override { join_finished(); }
    /// The present thread was given one connection too many, to be refused.
    static bool overloaded();

  private:
    struct entry {
        std::thread thread;
        std::atomic<bool> finished = false;
    };
    void join_finished();

    int threads_max_;
    std::mutex mutex_;
    std::list<entry> threads_;
};

}  // namespace postrider::serve
