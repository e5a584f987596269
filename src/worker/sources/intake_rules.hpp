#pragma once

#include <vector>

#include "store/work/hand_over.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// Whether a worker may take messages from its broker, by the last answer of the database: whether
/// the consumer is paused, and which handlers are held.
class intake_rules {
  public:
    /// How many messages the worker may take. `all_stored`: none waits to be stored.
    int limit(const std::vector<handler>& handlers, bool all_stored) const;
    /// The circuit of the handler is not closed: its messages are stored without a run.
    bool is_held(const handler& one) const;

    void learn(store::intake answer, clock::time_point now, clock::duration interval);
    /// When the database must be asked again.
    clock::time_point next_question() const { return next_question_; }

  private:
    store::intake intake_;
    clock::time_point next_question_ = {};
};

}  // namespace postrider::working
