#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "relay/nats/nats_connection.hpp"

namespace postrider::relaying {

/// The messages of a subscription in the order of their arrival. natsSubscription_NextMsg() would
/// drop an empty message with the header "Status: 503", which a producer can publish, so that it
/// is never acknowledged.
class arrivals {
  public:
    /// Of a connection that outlives them. libnats buffers messages that are not taken, up to these
    /// limits, and drops others.
    arrivals(natsConnection* connection, const std::string& subject, int messages_max,
             int bytes_max);
    arrivals(const arrivals&) = delete;
    arrivals& operator=(const arrivals&) = delete;
    ~arrivals();

    /// Null when nothing arrives by then. Throws nats_failure when the connection is closed.
    nats_message next(std::chrono::steady_clock::time_point until);

  private:
    class buffer;

    natsConnection* connection_;
    std::shared_ptr<buffer> buffer_;  ///< a thread of libnats has it, too
    nats_subscription subscription_;
};

}  // namespace postrider::relaying
