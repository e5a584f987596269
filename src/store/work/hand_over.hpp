#pragma once

#include <optional>
#include <postrider/source.hpp>
#include <span>
#include <string>
#include <vector>

#include "pg/connection.hpp"
#include "store/work/outcome.hpp"

namespace postrider::store {

/// A message from a broker that a handler did not deliver. Its seq has no meaning.
struct handed_over {
    const received_message* message;
    const failure* how;  ///< names the handler
};

/// Whether a worker should receive more messages from its broker.
struct intake {
    bool paused = false;
    std::vector<std::string> held;  ///< handlers whose circuit is not closed
    bool probe = false;             ///< one of them has no delivery that could show that it works
};

/// Stores messages as deliveries: all of them, or none when it throws. `succeeded`: handlers that
/// have succeeded since the last call.
intake hand_over_many(pg::connection& session, const uuid& worker,
                      std::span<const handed_over> messages,
                      std::span<const std::string> succeeded);
intake intake_of(pg::connection& session, const uuid& worker);

}  // namespace postrider::store
