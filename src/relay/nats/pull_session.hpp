#pragma once

#include <optional>
#include <vector>

#include "relay/nats/arrivals.hpp"
#include "relay/nats/intake_guard.hpp"
#include "relay/nats/nats_connection.hpp"

namespace postrider::relaying {

struct pull_settings {
    nats_settings server;
    std::string stream;
    std::string group;
    std::string subject;  ///< of a new group; empty: all of the stream
    std::chrono::milliseconds redeliver_after;
};

/// A connection that requests messages from a durable consumer of JetStream. libnats' own fetch
/// waits until a batch is full; this returns the messages that have arrived. Every function throws
/// nats_failure or std::runtime_error; the session is unusable then.
class pull_session {
  public:
    /// Creates the group when it does not exist.
    explicit pull_session(const pull_settings& how);
    pull_session(const pull_session&) = delete;
    pull_session& operator=(const pull_session&) = delete;
    ~pull_session();

    /// Requests more messages, so that at most `limit` are outstanding.
    std::vector<nats_message> fetch(int limit, std::chrono::milliseconds wait);
    void answer(const std::string& receipt, const char* how);
    std::chrono::milliseconds redeliver_after() const { return redeliver_after_; }

  private:
    using clock = std::chrono::steady_clock;

    void ask(int limit);
    bool take_status(natsMsg* message);

    nats_connection connection_;
    intake_guard guard_{connection_.get()};
    std::string requests_;  ///< subject of requests for messages
    std::string inbox_ = new_inbox();
    std::optional<arrivals> arrivals_;
    std::chrono::milliseconds redeliver_after_;
    int asked_ = 0;  ///< requested messages that have not arrived
    clock::time_point expires_ = {};
};

}  // namespace postrider::relaying
