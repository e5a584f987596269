// Faults of the processes: killed, stopped, with a clock that jumps.
#include <csignal>

#include "base/fault_points.hpp"
#include "chaos/faults/faults.hpp"
#include "support/faults/faked_clock.hpp"

namespace postrider::chaos {
namespace {

using namespace std::chrono_literals;

part* random_worker(testbed& on, random_source& random) {
    return random_part(on, random,
                       [](const part& one) { return !one.consumer.empty() && !one.stopped; });
}

fault::undo kill_worker(testbed& on, random_source& random) {
    kill_part(on, random_worker(on, random));
    return nothing();
}

// The process dies at a named fault point, after some passes of it since its restart.
fault::undo kill_at_point(testbed& on, random_source& random) {
    static constexpr std::array<const char*, 7> points{
        "worker.after_claim",      "worker.before_handler", "worker.after_handler",
        "worker.before_settle",    "worker.after_settle",   "transaction.before_commit",
        "transaction.after_commit"};
    const std::string point = points[static_cast<std::size_t>(random.below(int{points.size()}))];
    const auto plan = point + ":kill:" + std::to_string(random.between(1, 10));
    if (auto* victim = random_worker(on, random)) {
        record_hit(on, plan, victim->process_name);
        victim->next_variables["POSTRIDER_FAULTS"] = plan;
        victim->process->signal(SIGKILL);
    }
    return nothing();
}

fault::undo stop(testbed& on, part* victim) {
    if (victim == nullptr || victim->stopped) {
        return nothing();
    }
    record_hit(on, "SIGSTOP", victim->process_name);
    victim->process->signal(SIGSTOP);
    victim->stopped = true;
    return [name = victim->process_name](testbed& later) {
        if (auto* found = later.find(name)) {
            record_hit(later, "SIGCONT", name);
            found->process->signal(SIGCONT);
            found->stopped = false;
        }
    };
}

fault::undo stop_worker(testbed& on, random_source& random) {
    return stop(on, random_worker(on, random));
}

// The worker that keeps the doorbell of the channel that all consumers share. The connection with
// the keeper's lock has a name of its own; the one that holds the doorbell has the process's.
part* keeper(testbed& on) {
    return on.find(
        on.value("select a.application_name from pg_locks l join pg_stat_activity a using (pid)"
                 " where l.locktype = 'advisory' and l.mode = 'ExclusiveLock'"
                 " and l.classid = postrider.lock_doorbell()::oid"
                 " and l.objid = (hashtext('outbox_default')::bigint & 4294967295)::oid limit 1"));
}

fault::undo stop_keeper(testbed& on, random_source&) { return stop(on, keeper(on)); }

fault::undo kill_keeper(testbed& on, random_source&) {
    kill_part(on, keeper(on));
    return nothing();
}

fault::undo kill_publisher(testbed& on, random_source& random) {
    kill_part(on, random_part(on, random, [](const part& one) { return one.consumer.empty(); }));
    return nothing();
}

// Restarts a worker with its own clock, which then jumps by an hour, forwards or back.
fault::undo jump_clock(testbed& on, random_source& random) {
    auto* victim = random_worker(on, random);
    const bool forwards = random.one_in(2);
    if (victim == nullptr) {
        return nothing();
    }
    const test::faked_clock clock(on.options().directory / (victim->name + ".clock"));
    victim->next_variables = clock.variables();
    record_hit(on, "clock", victim->process_name);
    victim->process->signal(SIGTERM);
    return [clock, forwards](testbed&) { clock.set(forwards ? 1h : -1h); };
}

std::string no_clock_library() {
    return test::faked_clock::available() ? "" : "the package libfaketime is not installed";
}

std::string no_fault_points() {
#ifdef POSTRIDER_FAULT_POINTS
    return "";
#else
    return "this build has no fault points; the preset dev has them";
#endif
}

}  // namespace

std::vector<fault> process_faults() {
    return {
        {"kill_worker", "kill -9 of a worker", 0ms, 0ms, kill_worker},
        {"kill_at_point", "a worker dies at a fault point", 0ms, 0ms, kill_at_point,
         no_fault_points},
        {"stop_worker", "a worker is stopped until its leases have expired", 3500ms, 5000ms,
         stop_worker},
        {"stop_keeper", "the worker that keeps the doorbell is stopped", 3500ms, 5000ms,
         stop_keeper},
        {"kill_keeper", "kill -9 of the worker that keeps the doorbell", 0ms, 0ms, kill_keeper},
        {"kill_publisher", "kill -9 of a publisher", 0ms, 0ms, kill_publisher},
        {"jump_clock", "the clock of a worker jumps by an hour", 1500ms, 2500ms, jump_clock,
         no_clock_library},
    };
}

}  // namespace postrider::chaos
