#include "store/work/settle.hpp"
#include "worker/coordinator/coordinator.hpp"

namespace postrider::working {

int coordinator::drain() {
    auto& connection = context_.connection;
    if (connection && !connection->alive()) {
        connection.reset();
    }
    if (!connection) {
        connect();
    }
    // Messages of dead workers count as available. If programs only drain, no other worker takes
    // them back.
    store::reap(context_.session());
    int runs = 0;
    context_.schedule.look();
    context_.waiting.look_at_once();
    context_.due_changed = true;
    due_.ask_at_once();
    while (true) {
        const auto now = clock::now();
        heartbeat_.run(context_, now);
        progress_.run(context_, now);
        const bool reported = due_.report(context_, now, true);
        context_.schedule.collect_no_longer();
        exchange(now, reported);
        due_.ask_at_once();
        due_.run(context_, now);
        const bool log_is_empty = context_.schedule.exhausted();
        if (log_is_empty && !context_.waiting.wants_claim(now, log_is_empty) &&
            context_.held.in_hand() == 0 && all_reported(now)) {
            return runs;
        }
        const int ran = context_.threads->run_waiting();
        if (ran > 0) {
            context_.waiting.look_at_once();
        }
        runs += ran;
        collect_finished();
    }
}

}  // namespace postrider::working
