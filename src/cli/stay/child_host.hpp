#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <postrider/sink.hpp>
#include <postrider/worker.hpp>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "cli/stay/child.hpp"
#include "worker/wake_event.hpp"

namespace postrider::cli {

/// Child processes that stay and handle messages: `postrider work --stay`. One thread communicates
/// with all of them. A child that ends is started again; its messages go to the others.
class child_host {
  public:
    struct settings {
        std::vector<std::string> arguments = {};
        std::vector<std::string> environment = {};
        std::string consumer = {};
        std::string handler = {};
        int children = 1;
        int in_flight_max = 1;  ///< messages per child, waiting ones included
        std::chrono::milliseconds timeout = {};
        std::function<void(int child, std::string_view line)> stderr_line = {};
        std::function<void(level how, std::string_view state, const std::string& text)> report = {};
    };
    child_host(settings chosen, std::shared_ptr<running_commands> running);
    child_host(const child_host&) = delete;
    child_host& operator=(const child_host&) = delete;
    ~child_host() { close(); }

    /// Starts the children and blocks until one has said hello. Returns nothing when the descriptor
    /// `instead` becomes readable first. Throws usage_error when a child fails before that.
    std::optional<child_hello> start(int instead);
    /// The handler: blocks until the children have answered for every message.
    std::vector<outcome> handle(std::span<const event> events, postrider::context& run);
    /// Releases the messages that no child has, and asks the children to finish theirs.
    void begin_stop();
    /// Ends the children: their stdin is closed, then they get SIGTERM, then SIGKILL.
    void close();

  private:
    using clock = child::clock;
    using run_ref = child::run_ref;

    struct slot {
        int number;
        std::unique_ptr<child> process = {};
        clock::time_point start_at = {};
        int failures = 0;  ///< starts since the last child that answered a message
        bool ready = false;
    };

    void work();
    void start_due(clock::time_point now);
    void start_one(slot& at, clock::time_point now);
    void take_submitted();
    void take_stop_requests(clock::time_point now);
    void assign(clock::time_point now);
    child* least_busy(const child* except, bool any) const;
    void give_back_without_child(clock::time_point now);
    void wait(clock::time_point now);
    void let_answers_gather() const;
    void handle_sources(const std::vector<pollfd>& sources, const std::vector<slot*>& of);
    void bury(slot& at, clock::time_point now);
    void suspect(const std::string& message_id);
    void announce(slot& at);
    void fail_start(std::string text);
    void interrupt_waiting(const char* why, std::optional<std::chrono::milliseconds> delay = {});
    bool over() const;

    settings settings_;
    std::shared_ptr<running_commands> running_;
    working::wake_event wake_;
    working::wake_event started_;
    std::atomic<bool> stop_requests_ = false;  ///< the worker has asked some runs to stop

    std::mutex mutex_;  // guards the next five
    std::vector<run_ref> submitted_;
    bool stop_ = false;
    bool close_ = false;
    std::optional<child_hello> hello_;
    std::optional<std::string> start_failure_;

    // Of the thread.
    std::vector<slot> slots_;
    std::deque<run_ref> waiting_;
    std::deque<run_ref> alone_;                  ///< suspects
    std::unordered_set<std::string> suspected_;  ///< messages that were charged with a crash
    std::uint64_t next_number_ = 1;
    clock::time_point child_seen_ = {};
    clock::time_point look_for_cancelled_ = {};
    bool stopping_ = false;
    bool closing_ = false;
    std::jthread thread_;
};

}  // namespace postrider::cli
