#pragma once

#include <httplib.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace postrider::test {

/// A real HTTP server that accepts every POST, and fails on request.
class alert_server {
  public:
    struct request {
        std::string path;
        httplib::Headers headers;
        std::string body;

        std::string header(const std::string& name) const {
            const auto found = headers.find(name);
            return found == headers.end() ? "" : found->second;
        }
    };

    /// Port 0 means any.
    explicit alert_server(int port = 0) {
        server_.Post(".*", [this](const httplib::Request& asked, httplib::Response& answer) {
            take(asked, answer);
        });
        server_.set_tcp_nodelay(true);
        port_ = port == 0                                 ? server_.bind_to_any_port("127.0.0.1")
                : server_.bind_to_port("127.0.0.1", port) ? port
                                                          : 0;
        if (port_ <= 0) {
            throw std::runtime_error("alert_server: no port");
        }
        thread_ = std::thread([this] { server_.listen_after_bind(); });
        while (!server_.is_running()) {
            std::this_thread::yield();
        }
    }
    alert_server(const alert_server&) = delete;
    alert_server& operator=(const alert_server&) = delete;
    ~alert_server() {
        release();
        server_.stop();
        thread_.join();
    }

    int port() const { return port_; }
    std::string place() const { return "127.0.0.1:" + std::to_string(port_); }

    /// The next requests are answered with these, the ones after them with 200.
    void answer_next(std::vector<int> statuses) {
        const std::lock_guard lock(mutex_);
        statuses_.assign(statuses.begin(), statuses.end());
    }
    /// Requests wait for their answer until release(), or the end.
    void hold() {
        const std::lock_guard lock(mutex_);
        held_ = true;
    }
    void release() {
        const std::lock_guard lock(mutex_);
        held_ = false;
        changed_.notify_all();
    }
    /// Waits for `count` requests with any answer; false after the timeout.
    bool wait_asked(std::size_t count) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, timeout, [&] { return asked_ >= count; });
    }
    /// Waits until `count` requests have been answered with 200; returns them all.
    std::vector<request> wait_taken(std::size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, timeout, [&] { return taken_.size() >= count; });
        return taken_;
    }

  private:
    static constexpr std::chrono::seconds timeout{20};

    void take(const httplib::Request& asked, httplib::Response& answer) {
        std::unique_lock lock(mutex_);
        ++asked_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return !held_; });
        if (!statuses_.empty()) {
            answer.status = statuses_.front();
            statuses_.pop_front();
            return;
        }
        taken_.push_back({asked.path, asked.headers, asked.body});
        answer.set_content("{}", "application/json");
        changed_.notify_all();
    }

    httplib::Server server_;
    int port_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<int> statuses_;
    bool held_ = false;
    std::size_t asked_ = 0;
    std::vector<request> taken_;
    std::thread thread_;
};

}  // namespace postrider::test
