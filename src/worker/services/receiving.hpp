#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "worker/sources/intake_rules.hpp"
#include "worker/sources/received_outcomes.hpp"
#include "worker/sources/receiver.hpp"
#include "worker/sources/redelivery.hpp"
#include "worker/sources/unstored.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// First attempts from a broker. Handled messages are acknowledged without the database; messages
/// that failed are stored in it first. Does nothing in a worker without a source.
class receiving {
  public:
    explicit receiving(const handler_table& handlers) : routes_(handlers), outcomes_(routes_) {}

    /// The worker is registered, so the database knows its handlers.
    void open(worker_context& context);
    /// The part that needs no database: takes messages, answers, and requests at most `room` more.
    void run(worker_context& context, clock::time_point now, int room);
    /// When run() must be called; a message that arrives wakes the worker.
    clock::time_point next_at() const;
    /// Stores messages that failed, and queries whether the consumer is paused or a handler is
    /// held.
    void store(worker_context& context, clock::time_point now);
    /// When store() must be called.
    clock::time_point next_store() const;

    /// The broker has no message, as far as the worker knows.
    bool idle() const;
    bool all_stored() const { return unstored_.empty(); }
    /// Messages without an answer are handed out again by the broker.
    void close(worker_context& context) noexcept;

  private:
    static void tell(worker_context& context, const receiver::arrived& of);
    void hold(worker_context& context, std::vector<received_message> messages,
              clock::time_point since);
    void set_aside(received_message message, const std::vector<const handler*>& handlers);
    void skip(worker_context& context, received_message& message);
    int room_by_bytes(const worker_context& context);

    route_cache routes_;
    std::unique_ptr<receiver> receiver_;
    receiver::answers answers_;
    unstored unstored_;
    std::size_t last_size_ = 0;  ///< mean bytes of a message of the last fetch
    bool full_ = false;          ///< as of the last run()
    received_outcomes outcomes_;
    redelivery redelivery_;
    intake_rules intake_;
    std::set<std::string, std::less<>> skipped_;  ///< event types without a handler
};

}  // namespace postrider::working
