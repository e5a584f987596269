#pragma once

#include <nats/nats.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "relay/relay_url.hpp"

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

/// Closes the connection of a subscription first: a thread of libnats uses the subscription while
/// messages arrive, also when it is destroyed.
struct end_subscription {
    natsConnection* connection = nullptr;
    void operator()(natsSubscription* one) const noexcept {
        natsConnection_Close(connection);
        natsSubscription_Destroy(one);
    }
};
using nats_subscription = std::unique_ptr<natsSubscription, end_subscription>;

/// Thrown when libnats refuses a call: a natsStatus, with the reason why TLS failed.
class nats_failure : public std::runtime_error {
  public:
    explicit nats_failure(natsStatus status);
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
    std::string ca_file;  ///< trusted besides the authorities of the system; may be empty
};

/// Throws usage_error for an address that cannot work.
nats_settings nats_settings_of(const relay_url& to, std::string credentials_file,
                               std::chrono::milliseconds timeout);

struct close_nats {
    void operator()(natsConnection* one) const noexcept {
        natsConnection_Close(one);
        natsConnection_Destroy(one);
    }
};
/// It does not reconnect by itself: a buffer that is sent after a reconnection would repeat
/// messages that were released meanwhile.
using nats_connection = std::unique_ptr<natsConnection, close_nats>;

/// Throws nats_failure.
nats_connection connect(const nats_settings& how);
/// A subject for replies, without a dot at its end.
std::string new_inbox();

}  // namespace postrider::relaying
