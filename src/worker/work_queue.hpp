#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "worker/held_batch.hpp"

namespace postrider::working {

/// What waits for a thread, in order. Due deliveries come first, but are claimed only for hands
/// that are free: when both wait for hands, they take turns.
class work_queue {
  public:
    enum class place { front, back };

    /// `free`: called when a hand is free that somebody wished for.
    explicit work_queue(std::function<void()> free) : free_(std::move(free)) {}

    /// Of a lease.
    void push(slice work, place at = place::back);
    /// Each a run, which goes to one thread in whole.
    void push_due(const std::vector<slice>& runs);
    /// How much a thread takes of a lease at once.
    struct sizes {
        int most = 1;      ///< messages that are handled one by one
        int in_batch = 1;  ///< messages that go to batch handlers
    };
    /// The next stretch, waiting for one; nothing when closed.
    std::optional<slice> take(sizes size);
    /// Without waiting.
    std::optional<slice> try_take(sizes size);
    /// Takes everything away that nobody has begun: of one batch, or of all when null.
    std::vector<slice> withdraw(const held_batch* of = nullptr);
    /// Takes away messages of leases that were claimed by then and that nobody has begun, at most
    /// that many, those that wait longest first.
    std::vector<slice> withdraw_waiting(clock::time_point claimed_before, int most);
    /// When the oldest lease was claimed of which messages wait; max: none waits.
    clock::time_point waiting_since() const;
    void open();
    void close();

    /// Threads that wait.
    int idle() const;
    /// Threads that wait, for due deliveries to be claimed; none while it is the turn of a lease.
    int free_hands() const;
    /// Whether a thread has taken something of a lease since due deliveries came.
    bool leases_had_turn() const;
    /// To be told of one, and one is kept from leases when it is not their turn; until taken back.
    void wish_for_hand(bool wished);

  private:
    bool may_take() const;
    int count_free() const;
    void tell_of_free_hand() const;
    std::optional<slice> next(sizes size);
    slice cut(sizes size);

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<slice> waiting_;  ///< of leases
    std::deque<slice> due_;
    int idle_ = 0;  ///< threads in take()
    bool wished_ = false;
    bool leases_had_turn_ = true;  ///< since due deliveries came
    std::function<void()> free_;
    bool closed_ = false;
};

}  // namespace postrider::working
