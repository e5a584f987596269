#pragma once

#include <cstddef>
#include <vector>

#include "store/work/exchange.hpp"

namespace postrider::working {

/// A chain: messages of one ordering key that were claimed together. They are next to each other in
/// their lease, one thread runs them, and each begins when the one before was delivered.
class chains {
  public:
    void find(const store::claimed_batch& in);

    /// End of the chain with this message. A message that is in none is a chain of its own.
    int end_of(int index) const {
        return ends_.empty() ? index + 1 : ends_[static_cast<std::size_t>(index)];
    }
    /// Whether the message before it must be delivered first.
    bool follows(int index) const {
        return index > 0 && !ends_.empty() && ends_[static_cast<std::size_t>(index) - 1] > index;
    }

  private:
    std::vector<int> ends_;  ///< empty: there are none
};

}  // namespace postrider::working
