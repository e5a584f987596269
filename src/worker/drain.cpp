#include "store/settle.hpp"
#include "worker/coordinator.hpp"

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
    context_.due_changed = true;
    due_.ask_at_once();
    while (true) {
        const auto now = clock::now();
        heartbeat_.run(context_, now);
        const bool reported = due_.report(context_, now, true);
        exchange(now, reported);
        due_.ask_at_once();
        due_.run(context_, now);
        if (context_.schedule.exhausted() && context_.held.in_hand() == 0 && all_reported(now)) {
            return runs;
        }
        runs += context_.threads->run_waiting();
        collect_finished();
    }
}

}  // namespace postrider::working
