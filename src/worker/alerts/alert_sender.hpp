#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <postrider/alert.hpp>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "store/work/alerts.hpp"

namespace postrider::working {

/// Sends alerts to one target on a thread of its own. The thread shares its ownership: a thread
/// whose target never returns can be detached.
class alert_sender : public std::enable_shared_from_this<alert_sender> {
  public:
    using clock = std::chrono::steady_clock;
    /// The thread calls `done` when there are results.
    alert_sender(std::shared_ptr<alert_target> to, std::function<void()> done)
        : to_(std::move(to)), name_(to_->name()), done_(std::move(done)) {}

    const std::string& name() const { return name_; }
    std::chrono::milliseconds timeout() const { return to_->timeout(); }

    void push(store::claimed_alert one);
    std::vector<store::alert_result> take_results();
    /// It has no alert, and the target's retry_after has passed.
    bool ready(clock::time_point now) const;
    bool busy() const;

    void request_stop() noexcept { stop_.request_stop(); }
    /// Waits for the thread until the timeout. Alerts not sent by then are reported as unsent.
    void stop(std::chrono::milliseconds timeout);

  private:
    void work();
    void send(const store::claimed_alert& one);
    void finish(const store::claimed_alert& one, const alert_answer& answer);
    void give_up(const std::string& problem);

    const std::shared_ptr<alert_target> to_;
    const std::string name_;
    const std::function<void()> done_;
    std::stop_source stop_;
    std::thread thread_;  // started with the first alert

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<store::claimed_alert> queue_;
    std::vector<store::alert_result> results_;
    int in_hand_ = 0;
    bool over_ = false;
    clock::time_point not_before_ = {};
};

}  // namespace postrider::working
