#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "worker/runner.hpp"
#include "worker/wake_event.hpp"
#include "worker/work_queue.hpp"

namespace postrider::working {

/// The threads that run handlers. Shared with the threads themselves: one whose handler never
/// returns can be left behind.
class crew : public std::enable_shared_from_this<crew> {
  public:
    explicit crew(int size) : size_(size) {}

    run_environment& environment() { return environment_; }
    const run_environment& environment() const { return environment_; }
    int size() const { return size_; }

    void start();
    void push(slice work) { queue_.push(std::move(work)); }
    void push_due(const std::vector<slice>& runs) { queue_.push_due(runs); }
    /// Threads that are busy with handlers.
    int running() const;
    /// Runs that would begin at once.
    int free_hands() const;
    /// Due deliveries had the last turn, and something is finished that has not been taken yet.
    bool owes_leases_a_turn() const;
    /// wake() is set when a hand is free that was wished for.
    void wish_for_hand(bool wished) { queue_.wish_for_hand(wished); }
    /// Takes everything away that nobody has begun: of one batch, or of all when null.
    std::vector<slice> withdraw(const held_batch* of = nullptr);
    /// Of leases: work_queue explains them.
    std::vector<slice> withdraw_waiting(clock::time_point claimed_before, int most) {
        return queue_.withdraw_waiting(claimed_before, most);
    }
    clock::time_point waiting_since() const { return queue_.waiting_since(); }
    struct stuck_work {
        int threads = 0;
        int messages = 0;  ///< of their slices
    };
    /// The threads that work on the same slice since then or longer.
    stuck_work stuck_since(clock::time_point then) const;
    /// When the last thread began a slice; nothing while a thread is idle.
    std::optional<clock::time_point> all_busy_since() const;
    /// Lets other threads have what waits behind a message that takes longer than was expected.
    /// Returns when to look again; max: not before wake() is set.
    clock::time_point spread(clock::time_point now);
    void slice_size(int most) { slice_size_ = most; }

    /// What was finished since the last call; wake() is set when there is some.
    std::vector<finished_slice> take_finished();
    const wake_event& wake() const { return wake_; }

    /// Runs what waits on the calling thread, for a crew that was not started.
    int run_waiting();

    void request_stop(const held_batch* on);
    /// Asks every handler to stop; nothing begins any more.
    void request_stop();
    std::vector<runner::overdue_run> stop_overdue(clock::time_point now);
    /// Waits for the threads when all are idle; leaves those behind that are not.
    void dismiss(bool idle);

  private:
    void work(runner& hand);
    work_queue::sizes sizes() const;
    void finish(finished_slice done);

    int size_;
    run_environment environment_;
    std::atomic<int> slice_size_ = 1;
    std::atomic<bool> watched_ = false;  ///< somebody will call spread() in time
    wake_event wake_;
    work_queue queue_{[this] { wake_.set(); }};
    mutable std::mutex mutex_;
    std::vector<finished_slice> finished_;
    std::vector<std::unique_ptr<runner>> runners_;
    std::vector<std::thread> threads_;
};

}  // namespace postrider::working
