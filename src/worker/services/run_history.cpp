#include "worker/services/run_history.hpp"

#include <postrider/error.hpp>

#include "store/work/workers.hpp"

namespace postrider::working {

void run_history::run(worker_context& context, clock::time_point now) {
    if (now < next_) {
        return;
    }
    auto& session = context.session();
    const auto watched = context.watch(session);
    send(context, session);
}

void run_history::send(worker_context& context, pg::connection& session) {
    unsent_.add(context.threads->take_tally());
    next_ = clock::time_point::max();
    const auto began = clock::now();
    try {
        const auto at = store::record_runs(session, context.id, unsent_.json());
        // Half of the round trip is the best guess of when the database looked at its clock.
        const auto looked = began + (clock::now() - began) / 2;
        context.threads->environment().database_clock =
            std::chrono::duration_cast<std::chrono::microseconds>(at.time_since_epoch() -
                                                                  looked.time_since_epoch())
                .count();
    } catch (const error& problem) {
        if (problem.connection_lost() || problem.retryable()) {
            next_ = began + interval;
            throw;
        }
        if (!std::exchange(refused_, true)) {
            context.report(level::warning, "history_refused", problem.what());
        }
    }
    unsent_ = {};
}

}  // namespace postrider::working
