// Faults of the broker between the relay and the consumers behind it.
#include <csignal>

#include "chaos/faults/faults.hpp"

namespace postrider::chaos {
namespace {

using namespace std::chrono_literals;

fault::undo kill_broker(testbed& on, random_source&) {
    if (on.broker() == nullptr || !on.broker()->running()) {
        return nothing();
    }
    record_hit(on, "SIGKILL", "broker");
    on.broker()->kill();
    return [](testbed& later) {
        later.revive_broker();
        record_hit(later, "start", "broker");
    };
}

fault::undo stop_broker(testbed& on, random_source&) {
    if (on.broker() == nullptr || !on.broker()->running()) {
        return nothing();
    }
    record_hit(on, "SIGSTOP", "broker");
    on.broker()->signal(SIGSTOP);
    return [](testbed& later) {
        record_hit(later, "SIGCONT", "broker");
        later.revive_broker();
    };
}

fault::undo cut_broker(testbed& on, random_source&) {
    record_hit(on, "cut", "broker");
    on.broker_gate().cut();
    return nothing();
}

fault::undo slow_broker(testbed& on, random_source& random) {
    if (random.one_in(2)) {
        record_hit(on, "hold", "broker");
        on.broker_gate().hold();
    } else {
        record_hit(on, "delay", "broker");
        on.broker_gate().delay(std::chrono::milliseconds(random.between(20, 300)));
    }
    return [](testbed& later) { later.broker_gate().pass(); };
}

fault::undo full_broker(testbed& on, random_source&) {
    record_hit(on, on.set_broker_full(true) ? "full" : "not full, it does not answer", "broker");
    return [](testbed& later) { later.set_broker_full(false); };
}

// The relay may have sent messages whose acknowledgements it never reads.
fault::undo kill_relay(testbed& on, random_source&) {
    for (auto& one : on.parts()) {
        if (one.process && one.consumer == relay_consumer) {
            record_hit(on, "SIGKILL", one.process_name);
            one.process->signal(SIGKILL);
        }
    }
    return nothing();
}

fault::undo kill_branch(testbed& on, random_source& random) {
    kill_part(on, random_part(on, random, [](const part& one) {
                  return one.consumer == branch_consumer && !one.stopped;
              }));
    return nothing();
}

}  // namespace

std::vector<fault> broker_faults() {
    std::vector<fault> made{
        {"kill_broker", "kill -9 of the broker, which is started again", 200ms, 3000ms,
         kill_broker},
        {"stop_broker", "the broker is stopped", 1000ms, 6000ms, stop_broker},
        {"cut_broker", "all connections to the broker are reset", 0ms, 0ms, cut_broker},
        {"slow_broker", "data to and from the broker arrives late, or at once after a delay",
         1000ms, 4000ms, slow_broker},
        {"full_broker", "the broker refuses to store messages", 1000ms, 4000ms, full_broker},
        {"kill_relay", "kill -9 of the relay to the broker", 0ms, 0ms, kill_relay},
        {"kill_branch", "kill -9 of a worker behind the broker", 0ms, 0ms, kill_branch},
    };
    for (auto& one : made) {
        one.only_with_broker = true;
    }
    return made;
}

}  // namespace postrider::chaos
