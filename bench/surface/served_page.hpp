#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/lab/child.hpp"

namespace postrider::bench {

/// `postrider serve` as a process of its own, and a client of it.
class served_page {
  public:
    explicit served_page(const std::string& conninfo);
    served_page(const served_page&) = delete;
    served_page& operator=(const served_page&) = delete;
    ~served_page();

    /// Milliseconds until the answer arrived; throws for an error. With a body it sends a POST.
    /// Waits as necessary to stay below the server's rate limit of one token.
    double look(const std::string& path, const std::string& body = {});
    /// The same without waiting for its turn.
    double look_now(const std::string& path, const std::string& body = {});
    /// The last answer.
    const std::string& answer() const { return answer_; }

    /// Opens the page in a browser, signed in.
    const std::string& link() const { return link_; }

    /// A connection that reads live figures; gives its socket, which the caller closes.
    int open_stream() const;

    /// Stops the server process until wake_up().
    void put_to_sleep() const;
    void wake_up() const;

  private:
    struct http;

    child process_;
    int port_ = 0;
    std::string link_;
    std::string token_;
    std::unique_ptr<http> http_;
    std::string answer_;
};

/// Requests per second of a token: below the server's own limit.
constexpr int looks_per_s = 15;

}  // namespace postrider::bench
