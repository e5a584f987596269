#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "worker/held_batch.hpp"

namespace postrider::working {

/// What waits for a thread, in order. Closed once, at the end.
class work_queue {
  public:
    enum class place { front, back };

    void push(slice work, place at = place::back);
    /// How much a thread takes at once.
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

  private:
    slice cut(sizes size);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<slice> waiting_;
    bool closed_ = false;
};

}  // namespace postrider::working
