#include "worker/batches/lost_lease.hpp"

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

void cancel_job(worker_context& context, const uuid& id) {
    for (const auto* held : {&context.held.leases(), &context.held.dues()}) {
        for (const auto& batch : *held) {
            for (int index = 0; index < batch->size(); ++index) {
                if (batch->fields(index).id != id.bytes) {
                    continue;
                }
                batch->cancel(index);
                context.threads->request_stop(batch.get(), index);
                context.report(level::info, "job_cancelled",
                               "job " + id.text() +
                                   " was cancelled; its handler is asked to stop and its outcome "
                                   "does not count");
            }
        }
    }
}

}  // namespace postrider::working
