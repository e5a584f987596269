#include "worker/leases/handler_timeouts.hpp"

namespace postrider::working {
namespace {

constexpr auto timeout_interval = std::chrono::seconds(1);

}  // namespace

void handler_timeouts::run(worker_context& context, clock::time_point now) {
    if (now < next_) {
        return;
    }
    next_ = now + timeout_interval;
    for (const auto& [handler, batch] : context.threads->stop_overdue(now)) {
        context.report(level::warning, "handler_overdue",
                       handler + " runs longer than its timeout and was asked to stop");
        context.held.overdue(batch);
    }
}

}  // namespace postrider::working
