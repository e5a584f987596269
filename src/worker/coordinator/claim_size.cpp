// How many messages the coordinator claims.
#include <algorithm>

#include "worker/coordinator/coordinator.hpp"

namespace postrider::working {

bool coordinator::may_claim() const {
    return !context_.stopping && !due_.draining() && !context_.held.running_alone();
}

// Number of messages to claim now. Next to a report a claim costs little; alone it should fill a
// batch, or half of the target. Due deliveries get half of the messages that wait for a thread.
int coordinator::claim_limit(bool reporting) const {
    const auto& options = context_.options;
    if (!may_claim()) {
        return 0;
    }
    const auto& stuck = context_.stuck;
    const int in_hand = context_.held.in_hand();
    const int held_due = context_.threads->held();
    const int for_due = std::min(due_.backlog() ? options.in_flight_max : held_due,
                                 context_.speed.ahead(stuck.threads) / 2);
    const int target = context_.speed.target(stuck.threads);
    const int room = std::min(target - (in_hand - stuck.messages - held_due + for_due),
                              options.in_flight_max - in_hand);
    if (room <= 0 || (!reporting && room < std::min(options.batch_max, (target + 1) / 2))) {
        return 0;
    }
    return std::min(room, options.batch_max);
}

// A claim from the log hands out messages whose keys are free; the others get a row in the
// database, which takes longer. A lease holds all its keys until it is reported. So a worker of an
// ordered consumer claims when it has finished its messages. It does not wait for slow ones when
// few are left and no slice has ended for a while: threads may be idle. `chains`: all other threads
// have one chain each.
clock::time_point coordinator::keys_are_free_at() const {
    constexpr auto quiet_time = std::chrono::milliseconds(2);
    const auto& options = context_.options;
    const int leased = context_.held.in_hand() - context_.held.due() - context_.stuck.messages;
    if (!context_.is_ordered() || leased <= 0) {
        return clock::time_point::min();
    }
    const int chains = context_.speed.chain_size(options.batch_max) * (options.concurrency - 1);
    return leased <= std::max(chains, options.batch_max / 10)
               ? context_.held.last_end() + quiet_time
               : clock::time_point::max();
}

int coordinator::log_limit(bool reporting, clock::time_point now) const {
    // The report lets the next messages of its ordering keys start.
    if (context_.schedule.exhausted() && !(reporting && context_.is_ordered())) {
        return 0;
    }
    if (context_.schedule.noted_only() && may_claim() &&
        context_.held.in_hand() < context_.options.in_flight_max) {
        return std::max(1, claim_limit(true));  // most likely it hands out none
    }
    if (keys_are_free_at() > now) {
        return 0;
    }
    return claim_limit(reporting);
}

int coordinator::waiting_limit(bool reporting, clock::time_point now) const {
    const auto& waiting = context_.waiting;
    if (const int room = claim_limit(reporting); room > 0) {
        // The report lets the next messages of its ordering keys or limits start.
        if (reporting && (context_.is_ordered() || waiting.throttled())) {
            return room;
        }
        return waiting.wants_claim(now, context_.schedule.exhausted()) ? room : 0;
    }
    return waiting.urgent_at() <= now ? urgent_limit() : 0;
}

// A worker that holds enough messages of the log claims as many waiting messages as it has threads.
// They run next, so an urgent message does not wait for the messages claimed before it.
int coordinator::urgent_limit() const {
    const auto& options = context_.options;
    if (!may_claim()) {
        return 0;
    }
    const int threads = options.concurrency - context_.stuck.threads;
    return std::max(0, std::min(threads - context_.held.waited(),
                                options.in_flight_max - context_.held.in_hand()));
}

}  // namespace postrider::working
