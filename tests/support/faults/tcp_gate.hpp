#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/faults/tcp_link.hpp"

namespace postrider::test {

/// A TCP proxy between a client and the test server that injects network faults. Listens on a
/// loopback port and connects to the server's Unix socket. Its functions may be called at any time
/// from any thread and are in effect when they return. The kernel acknowledges all bytes that the
/// gate receives, so TCP keepalives never detect a loss here; only timeouts of the program do.
class tcp_gate {
  public:
    using milliseconds = std::chrono::milliseconds;

    /// In front of the server of the test run.
    tcp_gate();
    /// In front of another one: the path of a Unix socket, or "address:port".
    explicit tcp_gate(std::string upstream);
    tcp_gate(const tcp_gate&) = delete;
    tcp_gate& operator=(const tcp_gate&) = delete;
    ~tcp_gate();

    /// How to reach a database of the test server through the gate.
    std::string conninfo(const std::string& database) const;
    int port() const { return port_; }

    /// Everything passes, as in the beginning. Held bytes arrive; connections that lost bytes
    /// are cut, because their streams have holes.
    void pass();
    /// Resets every open connection. New ones are accepted.
    void cut();
    /// Connections stay open and new ones are accepted, but no bytes arrive, not even the end of a
    /// connection: the server keeps the locks of a vanished client.
    void half_open();
    /// Nothing arrives until pass(); then all of it does.
    void hold();
    /// Delays all bytes by this much, in both directions.
    void delay(milliseconds by);
    /// Writes no more than this many bytes at once.
    void small_parts(std::size_t bytes);
    /// The next reply with this tag ("COMMIT") is dropped and its connection cut: the server has
    /// executed the command, and the client cannot know it.
    void swallow_next(std::string_view tag);
    /// New connections are refused by the kernel; open ones stay.
    void refuse();
    /// New connections lead to another server; open ones stay.
    void lead_to(const std::string& upstream);

    gate_counts counts() const;
    /// Throws when the timeout expires first.
    void wait_until(const std::function<bool(const gate_counts&)>& seen,
                    milliseconds timeout = std::chrono::seconds(20)) const;
    /// Waits until `accepted` connections have been accepted in total.
    void wait_for_connections(int accepted) const;

  private:
    void order(std::function<void()> action);
    void run();
    void wait_for_events();
    void accept_all();
    void work();
    void cut_if(const std::function<bool(const tcp_link&)>& chosen);
    int connect_upstream() const;
    void bind_port();
    void listen();

    std::string upstream_;
    int port_ = 0;
    int wake_ = -1;

    // Of the gate's thread alone.
    int listener_ = -1;
    bool listening_ = false;
    bool stopping_ = false;
    gate_rules rules_;
    std::vector<std::unique_ptr<tcp_link>> links_;

    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::vector<std::function<void()>> orders_;
    std::uint64_t ordered_ = 0;
    std::uint64_t done_ = 0;
    gate_counts counts_;
    std::thread thread_;
};

}  // namespace postrider::test
