#include "chaos/check/presence.hpp"

#include <algorithm>

namespace postrider::chaos {
namespace {

// Between a NOTIFY and the start of a handler a worker may need ten statements. If a heartbeat
// takes longer than this, the server or the network is too slow for the bound: the time does not
// count, as if all threads were occupied.
constexpr instant prompt = 100'000;

// The time until which a claim occupied its worker.
instant end_of_hold(const obligation& owed, const step_fact& claim, instant last_record_at) {
    for (const auto& run : owed.runs) {
        if (run.process == claim.process && run.began >= claim.at) {
            return run.ended.value_or(last_record_at);
        }
    }
    for (const auto& step : owed.steps) {
        if (step.at > claim.at &&
            (step.change == step_fact::kind::settled || step.change == step_fact::kind::released)) {
            return step.at;
        }
    }
    return last_record_at;
}

}  // namespace

presence::presence(const facts& from) {
    // A worker sends three heartbeats in the time it counts as alive: one may be missing.
    const auto longest_gap = from.alive_ms * 1000 * 2 / 3;
    for (const auto& [name, process] : from.processes) {
        if (process.threads > 0) {
            workers_[name].worker = &process;
            add_signs(name, process, longest_gap);
        }
    }
    add_held(from);
}

void presence::add_signs(const std::string& process, const process_fact& of, instant longest_gap) {
    spans kept;
    for (std::size_t i = 1; i < of.signs.size(); ++i) {
        const auto& first = of.signs[i - 1];
        const auto& second = of.signs[i];
        const span between{first.at, second.at};
        const auto trouble = std::ranges::lower_bound(of.troubles, between.from);
        if (between.length() > longest_gap ||
            (trouble != of.troubles.end() && *trouble <= between.to)) {
            continue;
        }
        if (first.took > prompt || second.took > prompt) {
            held_[process].add(between, of.threads);
        }
        if (first.listening && second.listening) {
            append(workers_[process].connected, between);
        }
        if (first.keeper && second.keeper) {
            append(kept, between);
        }
    }
    for (const auto& one : kept) {
        kept_.emplace(of.channel, one);
    }
}

void presence::add_held(const facts& from) {
    for (const auto& [name, owed] : from.obligations) {
        add_alone(owed, from.timeout_ms * 1000);
        for (const auto& step : owed.steps) {
            const auto worker = workers_.find(step.process);
            if (step.change == step_fact::kind::claimed && worker != workers_.end()) {
                held_[step.process].add(
                    {step.at, end_of_hold(owed, step, worker->second.worker->last_record_at)});
            }
        }
    }
    for (const auto& [process, of] : held_) {
        auto& worker = workers_.at(process);
        worker.overloaded = of.at_least(worker.worker->threads);
    }
}

// A delivery that has crashed a worker runs alone. Its worker first lets the others finish, at most
// for the timeout of a handler.
void presence::add_alone(const obligation& owed, instant longest_wait) {
    for (const auto& change : owed.delivery) {
        const auto process = std::string(change.text("process"));
        const auto worker = workers_.find(process);
        if (change.text("to") == "in_flight" && change.number("crashes") > 0 &&
            worker != workers_.end()) {
            const step_fact claim{step_fact::kind::claimed, change.at, process, {}};
            held_[process].add({change.at - longest_wait,
                                end_of_hold(owed, claim, worker->second.worker->last_record_at)},
                               worker->second.worker->threads);
        }
    }
}

bool presence::kept(const std::string& channel, const span& when) const {
    const auto [begin, end] = kept_.equal_range(channel);
    return std::any_of(begin, end, [&](const auto& one) {
        return one.second.from <= when.from && one.second.to >= when.to;
    });
}

}  // namespace postrider::chaos
