// Checks which process may report on a run, and the number and time of runs.
#include <algorithm>

#include "chaos/check/verdict.hpp"

namespace postrider::chaos {
namespace {

// A healthy worker begins claimed deliveries at once. The database cannot see whether it did, so a
// delivery whose worker is lost within this time is charged as well.
constexpr instant soon = 1'000'000;

std::string text_of(const record& of, std::string_view name) { return std::string(of.text(name)); }

// By reap(), which any process may call.
bool taken_back(const record& change) {
    const auto why = change.text("error_class");
    return change.text("outcome") == "crashed" ||
           (change.text("outcome") == "interrupted" &&
            (why == "worker_lost" || why == "lease_expired"));
}

void check_delivery_fence(const std::string& name, const obligation& owed, verdict& to) {
    std::string holder;
    for (const auto& change : owed.delivery) {
        const auto before = change.text("from");
        const auto after = change.text("to");
        if (before == "in_flight" && !taken_back(change) && !holder.empty() &&
            change.text("process") != holder) {
            to.add("I3", name + " was settled by " + text_of(change, "process") + " while " +
                             holder + " held it");
        }
        if (after == "in_flight" && before != "in_flight") {
            holder = change.text("process");
        } else if (after != "in_flight") {
            holder.clear();
        }
    }
}

// Whether the holder could not begin the claimed delivery: the answer did not reach it, or it ended
// or was stopped right after.
bool could_not_begin(const process_fact& holder, instant claimed, instant charged) {
    // A worker does not begin deliveries of a claim that took longer than that.
    const bool knew = std::ranges::any_of(holder.claims, [&](const answer_fact& answer) {
        return answer.asked <= claimed && claimed <= answer.at && answer.at <= charged &&
               answer.at <= answer.asked + soon;
    });
    const bool ended = holder.status && holder.last_record_at <= claimed + soon;
    const bool stopped = std::ranges::any_of(
        holder.stops, [&](instant at) { return claimed - soon <= at && at <= claimed + soon; });
    return !knew || ended || stopped;
}

}  // namespace

void check_fences(const facts& from, verdict& to) {
    for (const auto& change : from.lease_changes) {
        const auto key = facts::lease_key(change);
        const auto found = from.leases.find(key);
        if (change.number("was_reaped") != 0) {
            to.add("I3", "lease " + key + " was changed by " + text_of(change, "process") +
                             " after it had been taken back");
        } else if (change.number("reaped") == 0 && found != from.leases.end() &&
                   found->second.process != change.text("process")) {
            to.add("I3", "lease " + key + " of " + found->second.process + " was settled by " +
                             text_of(change, "process"));
        }
    }
    for (const auto& [name, owed] : from.obligations) {
        check_delivery_fence(name, owed, to);
        for (const auto& run : owed.runs) {
            const bool claimed = std::ranges::any_of(owed.steps, [&](const step_fact& step) {
                return step.change == step_fact::kind::claimed && step.process == run.process &&
                       step.at <= run.began;
            });
            // A claim that a crash has undone still happened.
            if (!claimed &&
                !from.crashed_between(run.began - before_a_crash, run.began + before_a_crash)) {
                to.add("I3", name + " ran in " + run.process + ", which had no lease of it");
            }
        }
    }
}

void check_ceilings(const facts& from, verdict& to) {
    for (const auto& [name, owed] : from.obligations) {
        for (const auto& change : owed.delivery) {
            if (change.number("attempts") > owed.role->max_attempts) {
                to.add("I2", name + " was charged with " + text_of(change, "attempts") +
                                 " attempts of " + std::to_string(owed.role->max_attempts));
            }
            if (change.number("crashes") > owed.role->max_crashes) {
                to.add("I2", name + " was charged with " + text_of(change, "crashes") +
                                 " crashes of " + std::to_string(owed.role->max_crashes));
            }
        }
        std::map<int, int> runs;
        for (const auto& run : owed.runs) {
            ++runs[run.cycle];
        }
        // Uncharged: taken back for the first time, given back, or undone by a crash.
        int uncharged = 0;
        for (const auto& step : owed.steps) {
            uncharged += step.change == step_fact::kind::released ? 1 : 0;
        }
        if (!owed.runs.empty()) {
            const auto first = owed.runs.front().began;
            const auto last = owed.runs.back().began;
            uncharged += static_cast<int>(std::ranges::count_if(
                from.crashes, [=](instant at) { return at >= first && at <= last; }));
        }
        for (const auto& [cycle, count] : runs) {
            if (count > owed.role->max_attempts + owed.role->max_crashes + uncharged) {
                to.add("I2", name + " ran " + std::to_string(count) + " times in cycle " +
                                 std::to_string(cycle));
            }
        }
    }
}

void check_dead_letters(const facts& from, verdict& to) {
    for (const auto& [name, owed] : from.obligations) {
        for (const auto& change : owed.delivery) {
            const auto before = change.text("from");
            const auto after = change.text("to");
            if (before == "failed" && after == "in_flight") {
                to.add("I4", name + " was claimed while it was dead");
            }
            const bool replayed = before == "failed" && after == "pending";
            if (replayed && (change.number("cycle") != change.number("cycle_before") + 1 ||
                             change.number("history") != change.number("history_before") + 1)) {
                to.add("I4", name + " was replayed without exactly one entry in its history");
            }
            if (before != "none" && after != "none" &&
                (change.text("key") != change.text("key_before") ||
                 change.text("payload") != change.text("payload_before"))) {
                to.add("I4", name + " changed its key or payload");
            }
            if (after == "failed" && before != "failed") {
                const auto alert = from.alerts.find(
                    {text_of(change, "delivery"), static_cast<int>(change.number("cycle"))});
                const int times = alert == from.alerts.end() ? 0 : alert->second;
                if (times != 1) {
                    to.add("I11", name + " died and raised " + std::to_string(times) + " alerts");
                }
            }
        }
    }
}

void check_times(const facts& from, verdict& to) {
    for (const auto& [name, owed] : from.obligations) {
        for (const auto& step : owed.steps) {
            if (step.change == step_fact::kind::claimed && step.at < owed.message->available_at) {
                to.add("I7", name + " was claimed before its time");
                break;
            }
        }
        for (const auto& change : owed.delivery) {
            if (change.text("from") == "pending" && change.text("to") == "in_flight" &&
                change.at < change.number("available_before")) {
                to.add("I7", name + " was claimed before it was due again");
            }
        }
        for (const auto& run : owed.runs) {
            if (run.cycle == 1 && owed.message->generation && run.generation &&
                run.generation != owed.message->generation) {
                to.add("I7", name + " of generation " + std::to_string(*owed.message->generation) +
                                 " ran on generation " + std::to_string(*run.generation));
            }
        }
    }
}

void check_charges(const facts& from, verdict& to) {
    const process_fact unknown;
    for (const auto& [name, owed] : from.obligations) {
        std::string holder;
        instant claimed = 0;
        for (const auto& change : owed.delivery) {
            if (change.text("from") == "in_flight" && change.text("outcome") == "crashed") {
                const bool ran = std::ranges::any_of(owed.runs, [&](const run_fact& run) {
                    return run.process == holder && run.began >= claimed && run.began <= change.at;
                });
                const auto found = from.processes.find(holder);
                if (!ran &&
                    !could_not_begin(found == from.processes.end() ? unknown : found->second,
                                     claimed, change.at)) {
                    to.add("I9", name + " waited in " + holder +
                                     " and was charged with its crash, although it did not run");
                }
                if (change.has("suspect_before") && change.number("suspect_before") == 0 &&
                    change.number("crashes_before") == 0) {
                    to.add("I9", name + " was charged with a crash of " + holder +
                                     " without being a suspect");
                }
            }
            if (change.text("to") == "in_flight" && change.text("from") != "in_flight") {
                holder = change.text("process");
                claimed = change.at;
            }
        }
    }
}

}  // namespace postrider::chaos
