#pragma once

#include <map>

#include "property/model.hpp"

namespace postrider::test {

/// The runs of handlers, recorded from the engine's claims: the promises to users,
/// checked apart from the model's states.
class history {
  public:
    /// A message was claimed from the log, in the order of the calls.
    void claimed(const model& now, int consumer, int message);
    /// A handler got a message to run.
    void started(const model& now, const owed_key& key);
    /// Records every run that has ended since.
    void follow(const model& now);
    /// At the end: each message was delivered once to each of its handlers, or is a dead letter.
    void require_complete(const model& now) const;

  private:
    struct life {
        bool running = false;
        int delivered = 0;
        bool dead = false;
    };
    std::map<owed_key, life> lives_;
    std::map<std::pair<int, std::uint64_t>, int> last_of_transaction_;
};

}  // namespace postrider::test
