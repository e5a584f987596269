#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "worker/runs/runner.hpp"
#include "worker/runs/work_queue.hpp"
#include "worker/wake_event.hpp"

namespace postrider::working {

/// The threads that run handlers. The threads share its ownership: a thread whose handler never
/// returns can be detached.
class thread_pool : public std::enable_shared_from_this<thread_pool> {
  public:
    explicit thread_pool(int size) : size_(size) {
        environment_.finish = [this](finished_slice part) { finish(std::move(part)); };
        environment_.progress.wake = [this] { wake_.set(); };
    }

    run_environment& environment() { return environment_; }
    const run_environment& environment() const { return environment_; }

    void start();
    void push(slice work, work_queue::place at = work_queue::place::back) {
        queue_.push(std::move(work), at);
    }
    void push_due(const std::vector<slice>& runs) { queue_.push_due(runs); }
    /// Threads that run handlers.
    int running() const;
    /// Number of runs that would start at once.
    int free_threads() const;
    /// Due deliveries had the last turn, and finished slices have not been taken yet.
    bool lease_has_next_turn() const;
    /// wake() is set when the requested thread is free.
    void request_free_thread(bool requested) { queue_.request_free_thread(requested); }
    /// Removes the slices that no thread has started: of one batch, or of all when null.
    std::vector<slice> withdraw(const held_batch* of = nullptr);
    /// See work_queue.
    std::vector<slice> withdraw_waiting(clock::time_point claimed_before, int most) {
        return queue_.withdraw_waiting(claimed_before, most);
    }
    clock::time_point waiting_since() const { return queue_.waiting_since(); }
    int held() const { return queue_.held(); }
    struct stuck_work {
        int threads = 0;
        int messages = 0;  ///< of their slices
    };
    /// Threads that have been working on their slice since `then` or longer.
    stuck_work stuck_since(clock::time_point then) const;
    /// When the last thread started a slice; nothing while a thread is idle.
    std::optional<clock::time_point> all_busy_since() const;
    /// Gives messages that wait behind a slow message of their slice to other threads, and finishes
    /// those that have to wait for it because of their order as not started. Returns when to call
    /// it again; max: not before wake() is set.
    clock::time_point spread(clock::time_point now);
    void slice_size(int most) { slice_size_ = most; }

    /// Slices finished since the last call; wake() is set when there are any.
    std::vector<finished_slice> take_finished();
    const wake_event& wake() const { return wake_; }
    /// The runs since the last call.
    run_tally take_tally();

    /// Runs waiting slices on the calling thread, for a pool that was not started.
    int run_waiting();

    void request_stop(const held_batch* on);
    void request_stop(const held_batch* on, int index);
    /// Asks every handler to stop; no message is started any more.
    void request_stop();
    std::vector<runner::overdue_run> stop_overdue(clock::time_point now);
    /// Joins the threads when all are `idle`, detaches them otherwise.
    void close(bool idle);

  private:
    void work(runner& by);
    work_queue::sizes sizes() const;
    void finish(finished_slice done);

    int size_;
    run_environment environment_;
    std::atomic<int> slice_size_ = 1;
    std::atomic<bool> watched_ = false;  ///< the coordinator will call spread() in time
    wake_event wake_;
    work_queue queue_{[this] { wake_.set(); }};
    mutable std::mutex mutex_;
    std::vector<finished_slice> finished_;
    std::vector<std::unique_ptr<runner>> runners_;
    std::vector<std::thread> threads_;
};

}  // namespace postrider::working
