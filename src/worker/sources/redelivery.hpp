#pragma once

#include "worker/sources/receiver.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// The time until a broker hands out the messages of this worker to another one. Keep-alives extend
/// it.
class redelivery {
  public:
    /// The broker did not hand out the messages of the batch before `since`.
    void begin(held_batch& batch, clock::time_point since, clock::duration interval);
    /// The broker has extended the time of all messages that due() named before, at `since` or
    /// later.
    static void extended(worker_context& context, clock::time_point since,
                         clock::duration interval);
    /// Whether another worker may have the messages of the batch.
    static bool is_late(const held_batch& batch);

    /// The receipts of a keep-alive, of messages that wait for a thread or run within their
    /// timeout. Nothing if none is due.
    std::optional<receiver::receipts> due(const worker_context& context, clock::time_point now,
                                          clock::duration interval);
    clock::time_point next_at() const { return next_at_; }

  private:
    clock::time_point next_at_ = {};
};

}  // namespace postrider::working
