#pragma once

#include <set>
#include <string>
#include <vector>

#include "worker/runs/handlers.hpp"
#include "worker/sources/receiver.hpp"
#include "worker/sources/unstored.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// Outcomes of messages from a broker: an acknowledgement for those that were delivered; failures
/// are stored first.
class received_outcomes {
  public:
    explicit received_outcomes(route_cache& routes) : routes_(routes) {}

    /// Takes the outcomes that the ledger has.
    void settle(worker_context& context, receiver::answers& answers, unstored& failed);
    /// Handlers that have delivered a message since the last call: their circuits count successes.
    std::vector<std::string> take_succeeded();

  private:
    void settle_one(received_message message, std::vector<store::failure> failures, bool late,
                    receiver::answers& answers, unstored& failed);

    route_cache& routes_;
    std::set<std::string, std::less<>> succeeded_;  ///< event types
};

}  // namespace postrider::working
