// Consumers behind a broker: every message that a relay should have brought there was handled or
// has a state in PostgreSQL, and a run that happened again has a cause.
#include <algorithm>

#include "chaos/check/verdict.hpp"

namespace postrider::chaos {
namespace {

// JetStream may lose messages that it acknowledged shortly before it was killed.
constexpr instant before_a_kill = 10'000'000;

bool was_handled(const obligation& owed, const facts& from) {
    if (owed.role->transactional) {
        return from.effects.contains({owed.role->consumer, owed.role->handler, owed.message->key});
    }
    return std::ranges::any_of(owed.runs,
                               [](const run_fact& run) { return run.outcome == "delivered"; });
}

void check_end(const std::string& name, const obligation& owed, const facts& from, verdict& to) {
    const auto status = owed.shown.empty() ? std::string_view{} : owed.shown[0].text("status");
    if (owed.shown.size() > 1) {
        to.add("I1", name + " is shown in " + std::to_string(owed.shown.size()) + " states");
    }
    if (status == "pending" || status == "in_flight") {
        to.add("I6", name + " is still " + std::string(status) + " at the end of the run");
    } else if (status != "failed" && !was_handled(owed, from)) {
        ++to.lost;
        ++to.consumers[owed.role->consumer].lost;
        to.add("I1", name + " was not handled behind the broker");
    }
}

// The broker may send a message and its repetition to one worker at once. The worker hands over the
// repetition, then begins the message.
constexpr instant at_once = 1'000'000;

// A reported failure is retried as its policy says: that needs no explanation.
bool was_reported(const run_fact& first, const run_fact& second) {
    return first.cycle != second.cycle ||
           (first.ended && *first.ended <= second.began && !first.outcome.empty() &&
            first.outcome != "delivered" && first.outcome != "in_doubt");
}

std::string cause_of_repeat(const obligation& owed, const run_fact& first, const run_fact& second,
                            const facts& from) {
    if (first.outcome == "in_doubt") {
        return "commit_unknown";
    }
    for (const auto& step : owed.steps) {
        // Handed over because the broker repeated it, or taken back from a worker.
        const auto from_when = first.began - (step.process == first.process ? at_once : 0);
        if (step.change == step_fact::kind::released && step.at >= from_when &&
            step.at <= second.began) {
            return "behind_broker_" + step.why;
        }
    }
    if (from.crashed_between(first.began - before_a_kill, second.began)) {
        return "server_crash";
    }
    const bool killed = std::ranges::any_of(from.broker_kills, [&](instant at) {
        return at >= first.began - before_a_kill && at <= second.began;
    });
    return killed ? "broker_killed" : "";
}

void check_again(const std::string& name, const obligation& owed, const facts& from, verdict& to) {
    for (std::size_t i = 1; i < owed.runs.size(); ++i) {
        const auto& first = owed.runs[i - 1];
        const auto& second = owed.runs[i];
        if (was_reported(first, second)) {
            continue;
        }
        to.add_repeat(owed.role->consumer, cause_of_repeat(owed, first, second, from),
                      name + " ran in " + first.process + " and again in " + second.process);
    }
}

}  // namespace

void check_behind_broker(const facts& from, verdict& to) {
    for (const auto& [name, owed] : from.behind_broker) {
        to.consumers.try_emplace(owed.role->consumer);
        to.runs += static_cast<int>(owed.runs.size());
        if (owed.message->in_database) {
            check_end(name, owed, from, to);
        }
        check_again(name, owed, from, to);
    }
}

}  // namespace postrider::chaos
