#pragma once

#include <httplib.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace postrider::test {

/// A real HTTP server on the loopback address. It answers as the path says: /status.404 with 404.
/// Other paths get 200.
class hook_server {
  public:
    struct request {
        std::string path;
        std::string body;
        httplib::Headers headers;

        std::string header(const std::string& name) const {
            const auto found = headers.find(name);
            return found == headers.end() ? "" : found->second;
        }
    };
    /// Port 0: any.
    explicit hook_server(int port = 0) {
        server_.Post(".*", [this](const httplib::Request& asked, httplib::Response& answer) {
            take(asked, answer);
        });
        server_.set_tcp_nodelay(true);
        // An idle connection would occupy one of its few threads.
        server_.set_keep_alive_max_count(1);
        port_ = port == 0 ? server_.bind_to_any_port("127.0.0.1") : port;
        if (port != 0 && !server_.bind_to_port("127.0.0.1", port)) {
            throw std::runtime_error("hook_server: the port is taken");
        }
        thread_ = std::thread([this] { server_.listen_after_bind(); });
        while (!server_.is_running()) {
            std::this_thread::yield();
        }
    }
    hook_server(const hook_server&) = delete;
    hook_server& operator=(const hook_server&) = delete;
    ~hook_server() {
        release();
        server_.stop();
        thread_.join();
    }

    int port() const { return port_; }
    std::string url(const std::string& path = "/{event_type}") const {
        return "http://127.0.0.1:" + std::to_string(port_) + path;
    }
    std::vector<request> requests() const {
        const std::lock_guard lock(mutex_);
        return requests_;
    }
    /// Requests to /held wait until then.
    void release() {
        const std::lock_guard lock(mutex_);
        released_ = true;
        changed_.notify_all();
    }

  private:
    void take(const httplib::Request& asked, httplib::Response& answer) {
        std::unique_lock lock(mutex_);
        requests_.push_back({asked.target, asked.body, asked.headers});
        const auto status = asked.path.find("status.");
        if (asked.path == "/held") {
            changed_.wait(lock, [this] { return released_; });
        } else if (asked.path == "/huge") {
            answer.set_content(std::string(10'000'000, 'x'), "text/plain");
        } else if (status != std::string::npos) {
            answer.status = std::stoi(asked.path.substr(status + 7));
            answer.set_header("Retry-After", "120");
            answer.set_header("Location", "/moved");
        }
    }

    httplib::Server server_;
    int port_ = 0;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool released_ = false;
    std::vector<request> requests_;
    std::thread thread_;
};

}  // namespace postrider::test
