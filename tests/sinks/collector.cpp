#include "sinks/collector.hpp"

#include <stdexcept>

namespace postrider::test {
namespace {

constexpr std::chrono::seconds timeout{20};

}  // namespace

collector::collector(int port) {
    server_.Post("/v1/traces", [this](const httplib::Request& request,
                                      httplib::Response& response) { take(request, response); });
    server_.set_tcp_nodelay(true);
    if (port == 0) {
        port_ = server_.bind_to_any_port("127.0.0.1");
    } else {
        port_ = server_.bind_to_port("127.0.0.1", port) ? port : 0;
    }
    if (port_ <= 0) {
        throw std::runtime_error("collector: no port");
    }
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) {
        std::this_thread::yield();
    }
}

collector::~collector() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
        changed_.notify_all();
    }
    server_.stop();
    thread_.join();
}

void collector::take(const httplib::Request& request, httplib::Response& response) {
    std::unique_lock lock(mutex_);
    ++requests_;
    headers_ = request.headers;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !held_ || ending_; });
    if (!statuses_.empty()) {
        response.status = statuses_.front();
        statuses_.pop_front();
        if (!retry_after_.empty()) {
            response.set_header("Retry-After", retry_after_);
        }
        return;
    }
    const auto body = nlohmann::json::parse(request.body);
    bodies_.push_back(body);
    for (const auto& span : body.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans")) {
        spans_.push_back(span);
    }
    response.set_content("{}", "application/json");
    changed_.notify_all();
}

void collector::answer_next(std::vector<int> statuses) {
    const std::lock_guard lock(mutex_);
    statuses_.assign(statuses.begin(), statuses.end());
}

void collector::set_retry_after(std::string seconds) {
    const std::lock_guard lock(mutex_);
    retry_after_ = std::move(seconds);
}

void collector::hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
}

void collector::release() {
    const std::lock_guard lock(mutex_);
    held_ = false;
    changed_.notify_all();
}

std::vector<nlohmann::json> collector::wait_for_spans(std::size_t count) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, timeout, [&] { return spans_.size() >= count; })) {
        throw std::runtime_error("collector: got " + std::to_string(spans_.size()) + " spans");
    }
    return spans_;
}

void collector::wait_for_requests(int count) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, timeout, [&] { return requests_ >= count; })) {
        throw std::runtime_error("collector: got " + std::to_string(requests_) + " requests");
    }
}

std::vector<nlohmann::json> collector::spans() const {
    const std::lock_guard lock(mutex_);
    return spans_;
}

std::vector<nlohmann::json> collector::bodies() const {
    const std::lock_guard lock(mutex_);
    return bodies_;
}

std::string collector::header(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = headers_.find(name);
    return found == headers_.end() ? "" : found->second;
}

int collector::requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
}

}  // namespace postrider::test
