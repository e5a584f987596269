#include "relay/publisher.hpp"

namespace postrider::relaying {

outcome unavailable(std::string why) { return transient(std::move(why), unavailable_class); }

outcome unroutable(std::string why) { return terminal(std::move(why), "relay_unroutable"); }

outcome too_large(std::size_t bytes, std::size_t most) {
    return terminal(
        "the message has " + std::to_string(bytes) + " bytes, the limit is " + std::to_string(most),
        "relay_too_large");
}

outcome stopped() {
    return {outcome_kind::interrupted, "stopped before the acknowledgement", "relay_stopped", {}};
}

}  // namespace postrider::relaying
