#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "worker/held_batch.hpp"

namespace postrider::working {

/// What waits for a thread, in order, due deliveries first. Closed once, at the end.
class work_queue {
  public:
    enum class place { front, back };

    /// `free`: called when a hand is free that somebody wished for.
    explicit work_queue(std::function<void()> free) : free_(std::move(free)) {}

    /// A slice of due deliveries is one run and goes to one thread, in whole.
    void push(slice work, place at = place::back);
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
    void close();

    /// Threads that wait, less those that due deliveries are waiting for.
    int free_hands() const;
    enum class wish {
        none,
        free_hand,  ///< to be told of one
        kept_hand   ///< and it leaves leases to the others
    };
    /// Until somebody wishes for something else.
    void wish_for(wish what);

  private:
    bool may_take() const;
    int count_free() const;
    std::optional<slice> next(sizes size);
    slice cut(sizes size);

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<slice> waiting_;  ///< of leases
    std::deque<slice> due_;
    int idle_ = 0;  ///< threads in take()
    wish wish_ = wish::none;
    std::function<void()> free_;
    bool closed_ = false;
};

}  // namespace postrider::working
