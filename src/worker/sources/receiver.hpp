#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <postrider/source.hpp>
#include <string>
#include <thread>
#include <vector>

#include "worker/coordinator/pause.hpp"

namespace postrider::working {

/// The thread that communicates with a broker, so that the coordinator never waits for it. The
/// coordinator sets the number of messages it can take and reports their outcomes. Answers that did
/// not reach the broker are sent again after a reconnection.
class receiver {
  public:
    using clock = std::chrono::steady_clock;
    using receipts = std::vector<std::string>;

    /// `wake` is called on the receiver's thread when take() has something.
    receiver(std::shared_ptr<source> from, std::function<void()> wake);
    receiver(const receiver&) = delete;
    receiver& operator=(const receiver&) = delete;
    ~receiver();

    /// At most that many messages are fetched until the next call, fewer if they are large. `busy`:
    /// the worker has messages, so answers come soon.
    void want(int count, bool busy);

    struct arrived {
        std::vector<received_message> messages;
        std::size_t bytes = 0;               ///< of them
        std::optional<std::string> problem;  ///< the broker was lost; the reason
        bool recovered = false;              ///< it answers again
        std::string notice;                  ///< of the source; empty: none
        /// The broker handed out none of the messages before.
        clock::time_point since = clock::time_point::max();
        /// The broker has extended the time for all messages that answer() named before.
        std::optional<clock::time_point> kept_alive;
    };
    arrived take();

    struct answers {
        receipts acknowledged;
        receipts given_back;
        receipts alive;
        bool empty() const { return acknowledged.empty() && given_back.empty() && alive.empty(); }
    };
    void answer(answers more);

    std::chrono::milliseconds keep_alive_interval() const;
    /// The last fetches found no message.
    bool idle() const;
    /// Sends the remaining answers, releases messages that were not taken, and ends the thread. If
    /// the broker is unavailable, it later hands out messages without an answer again. take() has
    /// the last notice then.
    void close();

  private:
    void work();
    void serve(answers now, int limit, std::chrono::milliseconds wait);
    void finish(answers last, std::vector<received_message> untaken);
    void send(answers& now);
    void note_kept_alive(clock::time_point began);
    /// `waited`: as long as an idle worker waits.
    void put(std::vector<received_message> messages, int limit, bool waited,
             clock::time_point since);
    void heed(std::string notice);
    void last_notice();
    void failed(const std::string& why, answers unsent);

    const std::shared_ptr<source> from_;
    const std::function<void()> wake_;

    mutable std::mutex mutex_;  // guards the members below
    std::condition_variable changed_;
    int wanted_ = 0;
    arrived arrived_;
    answers answers_;
    pause trouble_;
    clock::time_point collects_until_ = {};
    std::string notice_;  ///< not reported yet
    clock::time_point next_notice_ = {};
    int empty_fetches_ = 0;  ///< in a row
    bool busy_ = false;
    bool closing_ = false;
    std::chrono::milliseconds keep_alive_interval_ = std::chrono::seconds(10);

    std::optional<clock::time_point> fetched_;  ///< since the last failure; only for the thread
    std::thread thread_;
};

}  // namespace postrider::working
