#pragma once

#include <nats/nats.h>

#include <memory>
#include <string>
#include <vector>

#include "relay/nats/ack_box.hpp"
#include "relay/publisher.hpp"

namespace postrider::relaying {

/// Calls the given function of libnats at the end of an object's life.
template <auto Destroy>
struct nats_free {
    template <typename Object>
    void operator()(Object* one) const noexcept {
        Destroy(one);
    }
};
using nats_message = std::unique_ptr<natsMsg, nats_free<natsMsg_Destroy>>;

/// Thrown when libnats refuses a call: a natsStatus.
class nats_failure : public std::runtime_error {
  public:
    explicit nats_failure(natsStatus status)
        : std::runtime_error(natsStatus_GetText(status)), status_(status) {}
    natsStatus status() const { return status_; }

  private:
    natsStatus status_;
};

inline void require_ok(natsStatus status) {
    if (status != NATS_OK) {
        throw nats_failure(status);
    }
}

struct nats_settings {
    std::vector<std::string> servers;  ///< without credentials
    std::string user;
    std::string password;  ///< empty: the user is a token
    std::string credentials_file;
    std::chrono::milliseconds timeout;
    bool tls = false;
};

/// A connection with a subscription for acknowledgements. It does not reconnect by itself: a
/// buffer that is sent after a reconnection would repeat messages that were given back meanwhile.
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

    struct close_connection {
        void operator()(natsConnection* one) const noexcept {
            natsConnection_Close(one);
            natsConnection_Destroy(one);
        }
    };
    /// State of the callback, which may run after the session has ended and owns its part.
    struct ack_listener {
        std::shared_ptr<ack_box> box;
        std::size_t prefix_size;
    };

    std::shared_ptr<ack_box> acks_ = std::make_shared<ack_box>();
    std::string inbox_;  ///< with a dot at its end
    std::unique_ptr<natsConnection, close_connection> connection_;
    std::unique_ptr<natsSubscription, nats_free<natsSubscription_Destroy>> subscription_;
};

}  // namespace postrider::relaying
