// Faults of the network between processes and server.
#include "chaos/faults/faults.hpp"

namespace postrider::chaos {
namespace {

using namespace std::chrono_literals;

fault::undo pass(bool workers) {
    return [workers](testbed& later) { later.gate(workers).pass(); };
}

bool choose_side(testbed& on, random_source& random, const char* action) {
    const bool workers = !random.one_in(3);
    record_hit(on, action, workers ? "workers" : "publishers");
    return workers;
}

fault::undo cut(testbed& on, random_source& random) {
    on.gate(choose_side(on, random, "cut")).cut();
    return nothing();
}

fault::undo half_open(testbed& on, random_source& random) {
    const bool workers = choose_side(on, random, "half open");
    on.gate(workers).half_open();
    return pass(workers);
}

fault::undo hold(testbed& on, random_source& random) {
    const bool workers = choose_side(on, random, "hold");
    on.gate(workers).hold();
    return pass(workers);
}

fault::undo delay(testbed& on, random_source& random) {
    const bool workers = choose_side(on, random, "delay");
    on.gate(workers).delay(std::chrono::milliseconds(random.between(20, 300)));
    return pass(workers);
}

fault::undo refuse(testbed& on, random_source& random) {
    const bool workers = choose_side(on, random, "refuse");
    on.gate(workers).refuse();
    on.gate(workers).cut();
    return pass(workers);
}

fault::undo swallow_commit(testbed& on, random_source& random) {
    const bool workers = choose_side(on, random, "swallow COMMIT");
    on.gate(workers).swallow_next("COMMIT");
    return nothing();
}

// Drops the reply to a claim: the worker holds messages and does not know it.
fault::undo swallow_select(testbed& on, random_source&) {
    record_hit(on, "swallow SELECT", "workers");
    on.gate(true).swallow_next("SELECT");
    return nothing();
}

}  // namespace

std::vector<fault> network_faults() {
    return {
        {"cut", "all connections are reset", 0ms, 0ms, cut},
        {"half_open", "data is dropped without an error on either side", 2000ms, 5000ms, half_open},
        {"hold", "data is delayed and then arrives at once", 1000ms, 4000ms, hold},
        {"delay", "all data arrives late", 2000ms, 4000ms, delay},
        {"refuse", "no new connections", 1000ms, 3000ms, refuse},
        {"swallow_commit", "the reply to a COMMIT is lost", 0ms, 0ms, swallow_commit},
        {"swallow_claim", "the reply to a claim is lost", 0ms, 0ms, swallow_select},
    };
}

}  // namespace postrider::chaos
