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
    /// The next stretch of at most `most` messages, waiting for one; nothing when closed.
    std::optional<slice> take(int most);
    /// Without waiting.
    std::optional<slice> try_take(int most);
    /// Takes everything away that nobody has begun: of one batch, or of all when null.
    std::vector<slice> withdraw(const held_batch* of = nullptr);
    void close();

  private:
    slice cut(int most);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<slice> waiting_;
    bool closed_ = false;
};

}  // namespace postrider::working
