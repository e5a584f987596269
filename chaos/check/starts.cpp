// How soon a committed message starts in each consumer, and whether a late start has a cause.
#include <fmt/core.h>

#include <algorithm>

#include "chaos/check/presence.hpp"
#include "chaos/check/verdict.hpp"

namespace postrider::chaos {
namespace {

/// The times of a message up to its first run.
struct start {
    const obligation* owed;
    instant due;
    instant claimed;     ///< the first time
    std::string holder;  ///< that claimed it
    instant given_up;    ///< when the holder began it, or lost it
    instant began;

    instant delay() const { return std::max<instant>(began - due, 0); }
    bool lost_by_holder() const { return given_up < began; }
};

std::optional<start> start_of(const obligation& owed) {
    if (owed.message->ended != message_fact::fate::committed || owed.runs.empty()) {
        return {};
    }
    const auto& run = owed.runs.front();
    const auto due = std::max(owed.message->ended_at, owed.message->available_at);
    start made{&owed, due, run.began, run.process, run.began, run.began};
    for (const auto& step : owed.steps) {
        if (step.change == step_fact::kind::claimed && step.at < made.claimed) {
            made.claimed = step.at;
            made.holder = step.process;
        } else if (step.change == step_fact::kind::released && step.at >= made.claimed) {
            made.given_up = std::min(made.given_up, step.at);
        }
    }
    return made;
}

/// The longest uninterrupted time in which a worker could have begun a message.
struct chance {
    std::string worker = {};
    instant free = 0;       ///< connected and with a free thread
    instant connected = 0;  ///< also while it had no free thread
};

chance best_chance(const start& of, const presence& who) {
    chance best;
    for (const auto& [name, one] : who.workers()) {
        const auto& role = *of.owed->role;
        if (one.worker->consumer != role.consumer || one.worker->channel != role.channel) {
            continue;
        }
        // After the claim only the holder can begin it.
        const span open{of.due, name == of.holder ? of.given_up : of.claimed};
        auto next = std::ranges::upper_bound(one.connected, open.from, {}, &span::to);
        for (; next != one.connected.end() && next->from < open.to; ++next) {
            const auto chance = next->cut(open);
            const auto free = chance.length() - length_within(one.overloaded, chance);
            best.connected = std::max(best.connected, chance.length());
            if (free > best.free) {
                best.free = free;
                best.worker = name;
            }
        }
    }
    return best;
}

// The cause of a late start; empty: a worker could have started it.
std::string cause_of(const start& of, const chance& had, instant bound, bool kept,
                     const facts& from) {
    const auto limit = bound + (kept ? 0 : from.keeper_ms * 1000);
    if (had.free > limit) {
        return {};
    }
    if (had.free > bound) {
        return "keeper_replaced";
    }
    if (had.connected > bound) {
        return "overloaded";
    }
    return of.lost_by_holder() ? "holder_lost" : "not_connected";
}

double quantile(std::vector<instant>& delays, double part) {
    if (delays.empty()) {
        return 0;
    }
    const auto at = static_cast<std::size_t>(part * static_cast<double>(delays.size() - 1));
    std::ranges::nth_element(delays, delays.begin() + static_cast<std::ptrdiff_t>(at));
    return static_cast<double>(delays[at]) / 1e6;
}

void set_quantiles(start_delays& to, std::vector<instant>& from) {
    to.p50_s = quantile(from, 0.5);
    to.p99_s = quantile(from, 0.99);
}

}  // namespace

void check_starts(const facts& from, verdict& to) {
    to.start_bound_s = static_cast<double>(from.start_ms) / 1000;
    to.keeper_bound_s = static_cast<double>(from.keeper_ms) / 1000;
    to.longest_transaction_s = static_cast<double>(from.longest_transaction) / 1e6;
    const auto bound = from.start_ms * 1000;
    const presence who(from);
    std::vector<instant> all;
    std::map<std::string, std::vector<instant>> by_consumer;
    for (const auto& [name, owed] : from.obligations) {
        const auto found = start_of(owed);
        if (!found) {
            continue;
        }
        auto& consumer = to.consumers[owed.role->consumer];
        all.push_back(found->delay());
        by_consumer[owed.role->consumer].push_back(found->delay());
        // A message with an ordering key waits for those before it: I14 and I6 judge it.
        if (bound == 0 || found->delay() <= bound || owed.role->ordered) {
            continue;
        }
        const bool kept = who.kept(owed.role->channel, {found->due, found->claimed});
        const auto had = best_chance(*found, who);
        if (const auto why = cause_of(*found, had, bound, kept, from); !why.empty()) {
            ++to.late_explained;
            ++consumer.late_explained;
            ++to.late_causes[why];
            continue;
        }
        ++to.late;
        ++consumer.late;
        to.add("I13",
               fmt::format("{} started {:.3f} s after its commit; {} was connected and had a "
                           "free thread for {:.3f} s of it",
                           name, static_cast<double>(found->delay()) / 1e6, had.worker,
                           static_cast<double>(had.free) / 1e6));
    }
    set_quantiles(to.starts, all);
    for (auto& [name, delays] : by_consumer) {
        set_quantiles(to.consumers[name].starts, delays);
    }
}

}  // namespace postrider::chaos
