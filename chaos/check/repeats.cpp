// Repeated runs: each must have a cause in the histories. Also the delays of claims, the ends of
// processes and the recovery after faults.
#include <algorithm>
#include <csignal>
#include <limits>

#include "chaos/check/verdict.hpp"

namespace postrider::chaos {
namespace {

// A reported failure is retried as its policy says: that needs no explanation.
bool is_retry(const run_fact& first, const run_fact& second) {
    return first.ended && *first.ended <= second.began &&
           (first.outcome == "transient" || first.outcome == "snooze" ||
            first.outcome == "interrupted" || first.outcome == "terminal");
}

// An operator began a cycle between the two runs. A cycle number can repeat when retention has
// removed the delivery.
bool is_new_cycle(const obligation& owed, const run_fact& first, const run_fact& second) {
    return first.cycle != second.cycle ||
           std::ranges::any_of(owed.delivery, [&](const record& change) {
               return first.began <= change.at && change.at <= second.began &&
                      change.text("to") == "pending" &&
                      change.number("cycle") == change.number("cycle_before") + 1 &&
                      change.has("cycle_before");
           });
}

instant claim_of(const obligation& owed, const run_fact& run) {
    instant claimed = run.began;
    for (const auto& step : owed.steps) {
        if (step.change == step_fact::kind::claimed && step.process == run.process &&
            step.at <= run.began) {
            claimed = step.at;
        }
    }
    return claimed;
}

// The cause of a second run after the first had begun; empty: unknown.
std::string cause_of_second_run(const obligation& owed, const run_fact& first,
                                const run_fact& second, const facts& from) {
    if (first.outcome == "in_doubt") {
        return "commit_unknown";
    }
    // A worker that was stopped may begin a run of a lease it lost meanwhile, even after the new
    // holder began: the earlier claim counts.
    const auto claimed = std::min(claim_of(owed, first), claim_of(owed, second));
    std::string why;
    for (const auto& step : owed.steps) {
        if (step.change == step_fact::kind::released && step.at >= claimed &&
            step.at <= second.began) {
            // The delivery that replaces a lease's member records a more precise reason than the
            // lease.
            why = why.empty() || why == "lease_taken_back" ? step.why : why;
        }
    }
    if (why.empty() && from.crashed_between(first.began - before_a_crash, second.began)) {
        why = "server_crash";
    }
    return why;
}

}  // namespace

void check_repeats(const facts& from, verdict& to) {
    for (const auto& [name, owed] : from.obligations) {
        for (std::size_t i = 1; i < owed.runs.size(); ++i) {
            const auto& first = owed.runs[i - 1];
            const auto& second = owed.runs[i];
            if (is_new_cycle(owed, first, second) || is_retry(first, second)) {
                continue;
            }
            const bool overlap = !first.ended || *first.ended > second.began;
            to.add_repeat(owed.role->consumer, cause_of_second_run(owed, first, second, from),
                          name + " ran in " + first.process + " and again in " + second.process +
                              (overlap ? " at the same time" : ""));
        }
    }
}

void check_claims(const facts& from, verdict& to) {
    if (from.claim_ms == 0) {
        return;
    }
    const auto limit = from.claim_ms * 1000;
    // A message that was due during a fault counts from the end of the fault.
    const auto from_when = [&](instant due, instant claimed) {
        for (const auto& fault : from.faults) {
            const auto end = fault.ended == 0 ? claimed : fault.ended;
            if (fault.began <= claimed && end >= due && fault.name != "deaf") {
                due = std::max(due, std::min(end, claimed));
            }
        }
        return due;
    };
    for (const auto& [name, owed] : from.obligations) {
        if (owed.message->ended == message_fact::fate::committed && !owed.role->ordered) {
            const auto due = std::max(owed.message->ended_at, owed.message->available_at);
            const auto claim =
                std::ranges::find(owed.steps, step_fact::kind::claimed, &step_fact::change);
            if (claim != owed.steps.end() && claim->at - due > limit &&
                claim->at - from_when(due, claim->at) > limit) {
                to.add("I6", name + " was claimed " +
                                 std::to_string((claim->at - from_when(due, claim->at)) / 1000) +
                                 " ms after it was due");
            }
        }
        for (const auto& change : owed.delivery) {
            // A delivery that crashed its worker waits until it can run alone.
            if (change.text("from") != "pending" || change.text("to") != "in_flight" ||
                change.number("crashes") > 0) {
                continue;
            }
            const auto due = from_when(change.number("available_before"), change.at);
            if (change.at - due > limit) {
                to.add("I6", name + " was claimed again " +
                                 std::to_string((change.at - due) / 1000) + " ms after it was due");
            }
        }
    }
}

// A process may end because it was killed or asked to stop; any other end is a bug.
void check_processes(const facts& from, verdict& to) {
    constexpr int killed = 128 + SIGKILL;
    constexpr int told = 128 + SIGTERM;
    for (const auto& [name, one] : from.processes) {
        const auto status = one.status.value_or(0);
        if (status != 0 && status != killed && status != told) {
            to.add("process", name + " ended with status " + std::to_string(status));
        }
    }
}

void measure_recovery(const facts& from, verdict& to) {
    // Key: the time of an intent. Value: the earliest delivery of a message published from then on.
    std::map<instant, instant> delivered;
    instant first = std::numeric_limits<instant>::max();
    instant last = 0;
    int pinned_runs = 0;
    double pinned_s = 0;
    const auto pinned = [&](instant at) {
        return std::ranges::any_of(from.faults, [&](const fault_fact& one) {
            return one.name == "pin_xmin" && at >= one.began && at <= one.ended;
        });
    };
    for (const auto& [name, owed] : from.obligations) {
        for (const auto& run : owed.runs) {
            first = std::min(first, run.began);
            last = std::max(last, run.began);
            pinned_runs += pinned(run.began) ? 1 : 0;
            if (run.outcome == "delivered" && owed.message->intended) {
                auto& end =
                    delivered.try_emplace(owed.message->intended_at, *run.ended).first->second;
                end = std::min(end, *run.ended);
            }
        }
    }
    for (auto entry = delivered.rbegin(); entry != delivered.rend(); ++entry) {
        if (entry != delivered.rbegin()) {
            entry->second = std::min(entry->second, std::prev(entry)->second);
        }
    }
    for (const auto& fault : from.faults) {
        recovery made{fault.name, static_cast<double>(fault.began - first) / 1e6,
                      static_cast<double>(fault.ended - fault.began) / 1e6};
        if (const auto next = delivered.lower_bound(fault.ended); next != delivered.end()) {
            made.recovered_s = static_cast<double>(next->second - fault.ended) / 1e6;
        }
        pinned_s += fault.name == "pin_xmin" ? made.lasted_s : 0;
        to.recoveries.push_back(made);
    }
    to.rate = last > first ? to.runs / (static_cast<double>(last - first) / 1e6) : 0;
    to.pinned_rate = pinned_s > 0 ? pinned_runs / pinned_s : 0;
}

}  // namespace postrider::chaos
