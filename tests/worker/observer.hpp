#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <postrider/sink.hpp>
#include <set>
#include <string>
#include <vector>

namespace postrider::test {

/// A sink that records reports and lets a test wait for them.
class observer : public sink {
  public:
    struct run {
        std::string message_id;
        std::string event_type;
        std::string handler;
        std::string result;
        std::string error_class;
        int attempts;
        std::string trace_id;
        std::string parent_span_id;
    };

    void handled(const handle_record& record) override {
        const std::lock_guard lock(mutex_);
        runs_.push_back({std::string(record.message_id), std::string(record.event_type),
                         std::string(record.handler), std::string(record.outcome),
                         std::string(record.error_class), record.attempts,
                         record.trace ? record.trace->trace_id : "",
                         record.trace ? record.trace->parent_span_id : ""});
        changed_.notify_all();
    }
    void state_changed(const state_record& record) override {
        const std::lock_guard lock(mutex_);
        states_.emplace_back(record.state);
        said_ += std::string(record.state) + ": " + std::string(record.message) + "\n";
        changed_.notify_all();
    }

    void figures(const worker_figures& record) override {
        const std::lock_guard lock(mutex_);
        running_ = record.running;
        if (record.notification_queue) {
            queue_.push_back(*record.notification_queue);
        }
        changed_.notify_all();
    }
    /// True as soon as the server's queue of notifications was checked that many times.
    bool wait_queue(std::size_t looks, std::chrono::seconds timeout = std::chrono::seconds(20)) {
        return wait([&] { return queue_.size() >= looks; }, timeout);
    }
    /// True as soon as the figures report this number of running handlers.
    bool wait_running(int count, std::chrono::seconds timeout = std::chrono::seconds(20)) {
        return wait([&] { return running_ == count; }, timeout);
    }
    std::vector<double> queue() const {
        const std::lock_guard lock(mutex_);
        return queue_;
    }

    /// True as soon as that many runs were reported.
    bool wait_runs(std::size_t count, std::chrono::seconds timeout = std::chrono::seconds(20)) {
        return wait([&] { return runs_.size() >= count; }, timeout);
    }
    /// True as soon as that many messages were handled to the end, by one handler each.
    bool wait_done(std::size_t count, std::chrono::seconds timeout = std::chrono::seconds(20)) {
        return wait(
            [&] {
                std::set<std::string> done;
                for (const auto& one : runs_) {
                    if (one.result == "delivered" || one.result == "duplicate") {
                        done.insert(one.message_id);
                    }
                }
                return done.size() >= count;
            },
            timeout);
    }
    /// True as soon as a state was reported, that many times.
    bool wait_state(const std::string& state, std::ptrdiff_t times = 1,
                    std::chrono::seconds timeout = std::chrono::seconds(40)) {
        return wait([&] { return std::ranges::count(states_, state) >= times; }, timeout);
    }
    std::vector<run> runs() const {
        const std::lock_guard lock(mutex_);
        return runs_;
    }
    std::vector<std::string> results() const {
        std::vector<std::string> all;
        for (const auto& one : runs()) {
            all.push_back(one.result);
        }
        return all;
    }
    /// All state changes with their messages, for the output of a failed test.
    std::string said() const {
        const std::lock_guard lock(mutex_);
        return said_;
    }
    std::ptrdiff_t count_state(const std::string& state) const {
        const std::lock_guard lock(mutex_);
        return std::ranges::count(states_, state);
    }

  private:
    template <typename Condition>
    bool wait(Condition condition, std::chrono::seconds timeout) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, timeout, condition);
    }

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<run> runs_;
    std::vector<std::string> states_;
    std::vector<double> queue_;
    int running_ = 0;
    std::string said_;
};

}  // namespace postrider::test
