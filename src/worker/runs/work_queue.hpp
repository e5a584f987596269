#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "worker/batches/held_batch.hpp"

namespace postrider::working {

/// Slices that wait for a thread. Due deliveries that were claimed for free threads come first.
/// Held due deliveries and messages of leases take turns.
class work_queue {
  public:
    enum class place { front, back };

    /// `free` is called when a requested thread is free.
    explicit work_queue(std::function<void()> free) : free_(std::move(free)) {}

    /// Adds messages of a lease, or held due deliveries.
    void push(slice work, place at = place::back);
    /// Adds due deliveries that were claimed for free threads. Each slice is one run of one thread.
    void push_due(const std::vector<slice>& runs);
    /// Messages that a thread takes at once.
    struct sizes {
        int most = 1;      ///< messages of handlers of single events
        int in_batch = 1;  ///< messages of batch handlers
    };
    /// Blocks until a slice is available; nothing when closed.
    std::optional<slice> take(sizes size);
    /// Does not block.
    std::optional<slice> try_take(sizes size);
    /// Removes the slices that no thread has taken: of one batch, or of all when null.
    std::vector<slice> withdraw(const held_batch* of = nullptr);
    /// Removes about `most` messages of leases and held deliveries claimed by then that no thread
    /// has taken, of each those that wait longest first, and whole chains.
    std::vector<slice> withdraw_waiting(clock::time_point claimed_before, int most);
    /// Claim time of the oldest batch of which they are; max: none waits.
    clock::time_point waiting_since() const;
    /// Held due deliveries that no thread has taken.
    int held() const;
    void open();
    void close();

    /// Threads in take().
    int idle() const;
    /// Threads for which due deliveries can be claimed; none while it is the turn of a lease, or
    /// held deliveries wait.
    int free_threads() const;
    /// Whether a thread has taken something of a lease since due deliveries came.
    bool leases_had_turn() const;
    /// While requested, one thread is kept from leases when it is not their turn, and `free` is
    /// called when it is there.
    void request_free_thread(bool requested);

  private:
    bool may_take() const;
    int count_free() const;
    void notify_free_thread() const;
    std::optional<slice> next(sizes size);
    static slice cut(std::deque<slice>& from, sizes size);

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<slice> waiting_;    ///< of leases
    std::deque<slice> held_;       ///< of due deliveries
    std::deque<slice> due_;        ///< runs that threads were free for
    int idle_ = 0;                 ///< threads in take()
    bool requested_ = false;       ///< a free thread for due deliveries
    bool leases_had_turn_ = true;  ///< since due deliveries came
    std::function<void()> free_;
    bool closed_ = false;
};

}  // namespace postrider::working
