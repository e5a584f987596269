#pragma once

#include <httplib.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace postrider::test {

/// A real HTTP server that accepts OTLP/JSON, and fails on request.
class collector {
  public:
    /// Port 0 means any.
    explicit collector(int port = 0);
    collector(const collector&) = delete;
    collector& operator=(const collector&) = delete;
    ~collector();

    std::string endpoint() const { return "http://127.0.0.1:" + std::to_string(port_); }
    int port() const { return port_; }

    /// The next requests are answered with these, the ones after them with 200.
    void answer_next(std::vector<int> statuses);
    void set_retry_after(std::string seconds);
    /// Requests wait for their answer until release(), or the end.
    void hold();
    void release();

    /// Waits until `count` spans have been accepted; returns all of them.
    std::vector<nlohmann::json> wait_for_spans(std::size_t count);
    void wait_for_requests(int count);
    std::vector<nlohmann::json> spans() const;
    std::vector<nlohmann::json> bodies() const;
    std::string header(const std::string& name) const;  ///< of the last request
    int requests() const;

  private:
    void take(const httplib::Request& request, httplib::Response& response);

    httplib::Server server_;
    int port_ = 0;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<int> statuses_;
    std::string retry_after_;
    bool held_ = false;
    bool ending_ = false;
    int requests_ = 0;
    httplib::Headers headers_;
    std::vector<nlohmann::json> bodies_;
    std::vector<nlohmann::json> spans_;
    std::thread thread_;
};

}  // namespace postrider::test
