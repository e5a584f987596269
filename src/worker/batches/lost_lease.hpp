#pragma once

#include <memory>

#include "worker/worker_context.hpp"

namespace postrider::working {

/// Withdraws the messages of a batch that have not started, and asks its running handlers to stop.
void abandon(worker_context& context, const std::shared_ptr<held_batch>& batch);

/// The database has given the lease to another worker: nothing of it is reported any more.
void lose_lease(worker_context& context, const std::shared_ptr<held_batch>& lost);

/// A message that the worker may hold was cancelled: it is not started, or its handler is asked to
/// stop. The database has recorded its end already.
void cancel_job(worker_context& context, const uuid& id);

}  // namespace postrider::working
