#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <thread>

#include "base/descriptor.hpp"

namespace postrider {

/// Answers GET /metrics, one request per connection. One thread serves all connections and waits
/// for none of them. Each has a deadline from its accept to the end of its answer, and the oldest
/// ones are closed when there are too many, so slow clients do not delay a scrape.
class metrics_listener {
  public:
    /// `listen`: ADDRESS:PORT, [IPV6]:PORT, or PORT for all addresses. `text` is
    /// called on the listener's thread. Throws std::exception when the address is not available.
    metrics_listener(const std::string& listen, std::function<std::string()> text);
    metrics_listener(const metrics_listener&) = delete;
    metrics_listener& operator=(const metrics_listener&) = delete;
    ~metrics_listener();

    int port() const;

  private:
    using clock = std::chrono::steady_clock;
    struct connection {
        descriptor socket;
        clock::time_point deadline;
        enum { reading, writing, closing } state = reading;
        std::string received = {};
        std::string answer = {};
        std::size_t sent = 0;
        bool ready = false;
    };

    void run();
    bool wait();
    void accept_one();
    void advance_all();
    bool read(connection& one);
    bool write(connection& one);
    void limit_answers(const connection& newest);

    const std::function<std::string()> text_;
    const descriptor listening_;
    pipe_ends stop_ = make_pipe();
    std::list<connection> connections_;  ///< in the order of their accept
    std::thread thread_;
};

}  // namespace postrider
