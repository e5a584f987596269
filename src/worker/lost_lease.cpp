#include "worker/lost_lease.hpp"

namespace postrider::working {

void abandon(worker_context& context, const std::shared_ptr<held_batch>& batch) {
    batch->abandoned = true;
    context.give_back(context.threads->withdraw(batch.get()), clock::now());
    context.threads->request_stop(batch.get());
}

void lose_lease(worker_context& context, const std::shared_ptr<held_batch>& lost) {
    context.report(
        level::warning, "lease_lost",
        "a lease was lost; its handlers are asked to stop and their outcome does not count");
    context.held.lost(lost);
    abandon(context, lost);
}

}  // namespace postrider::working
