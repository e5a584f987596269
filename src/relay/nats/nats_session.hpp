#pragma once

#include <memory>
#include <string>

#include "relay/nats/ack_box.hpp"
#include "relay/nats/intake_guard.hpp"
#include "relay/nats/nats_connection.hpp"
#include "relay/publisher.hpp"

namespace postrider::relaying {

/// A connection with a subscription for acknowledgements.
class nats_session {
  public:
    /// Throws nats_failure.
    explicit nats_session(const nats_settings& how);
    nats_session(const nats_session&) = delete;
    nats_session& operator=(const nats_session&) = delete;
    ~nats_session();

    std::size_t bytes_max() const;
    bool alive() const;
    /// Throws nats_failure.
    void send(const outgoing& one, std::uint64_t batch, std::size_t index);
    ack_box& acks() { return *acks_; }

  private:
    static void on_ack(natsConnection*, natsSubscription*, natsMsg* raw, void* closure);
    static void on_end(void* closure);

    /// State of the callback, which may run after the session has ended and owns its part.
    struct ack_listener {
        std::shared_ptr<ack_box> box;
        std::size_t prefix_size;
    };

    std::shared_ptr<ack_box> acks_ = std::make_shared<ack_box>();
    std::string inbox_;  ///< with a dot at its end
    nats_connection connection_;
    intake_guard guard_{connection_.get()};
    nats_subscription subscription_;
};

}  // namespace postrider::relaying
