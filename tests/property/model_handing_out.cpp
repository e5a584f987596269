// How the log is handed out: in the order of transactions, each message once to each consumer.
#include <algorithm>

#include "property/model.hpp"

namespace postrider::test {

bool model::covers(const cursor& at, int message) const {
    const auto& the_message = nth(messages, message);
    return the_message.committed_at <= at.done ||
           (the_message.committed_at <= at.open && std::pair(the_message.xid, message) <= at.at);
}

bool model::passed(const consumer& by, int message) const {
    const auto& the_message = nth(messages, message);
    return the_message.waits() ? the_message.committed_at <= by.noted_until
                               : covers(by.position, message);
}

std::vector<int> model::next_batch(const consumer& by, int limit, std::uint64_t late_before) const {
    std::vector<int> batch;
    for (int m = 0; m < static_cast<int>(messages.size()); ++m) {
        const auto& the_message = nth(messages, m);
        if (the_message.in_log && !the_message.waits() && by.wants(the_message) && !passed(by, m) &&
            the_message.committed_at <= by.position.open) {
            batch.push_back(m);
        }
    }
    std::ranges::sort(batch, {}, [&](int m) { return std::pair(nth(messages, m).xid, m); });
    const auto late_end =
        std::ranges::find_if(batch, [&](int m) { return nth(messages, m).xid >= late_before; });
    if (late_end != batch.begin()) {
        batch.erase(late_end, batch.end());
    }
    batch.resize(std::min(batch.size(), static_cast<std::size_t>(limit)));
    return batch;
}

handed_out model::exchange(int worker, int limit, horizons& at) {
    auto& by = nth(consumers, nth(workers, worker).consumer);
    if (limit == 0 || by.paused) {
        return {};
    }
    auto batch = next_batch(by, limit, at.done);
    if (batch.empty()) {
        auto ahead = by;
        ahead.position = {.done = by.position.open, .open = clock_};
        batch = next_batch(ahead, limit, at.open);
        if (batch.empty()) {
            return {.searched = true};
        }
        by.position = ahead.position;
        at = {.done = at.open, .open = std::numeric_limits<std::uint64_t>::max()};
    }
    by.position.at = {nth(messages, batch.back()).xid, batch.back()};
    return give(worker, batch, false);
}

void model::move_over_unwanted(int consumer) {
    auto& position = nth(consumers, consumer).position;
    position = {.done = position.open,
                .open = clock_,
                .at = {std::numeric_limits<std::uint64_t>::max(), 0}};
}

bool model::finish_segment(int consumer) {
    auto& by = nth(consumers, consumer);
    constexpr auto end = std::numeric_limits<std::uint64_t>::max();
    if (!next_batch(by, 1, end).empty()) {
        return false;
    }
    by.position.at = {end, 0};
    return true;
}

handed_out model::give(int worker, const std::vector<int>& batch, bool waited) {
    const auto& hands = nth(workers, worker);
    const auto& by = nth(consumers, hands.consumer);
    handed_out result;
    for (const int m : batch) {
        const auto& the_message = nth(messages, m);
        const auto names = by.route(the_message.type);
        bool mine = false;
        for (const auto& name : names) {
            if (hands.handlers.contains(name)) {
                ledger[{m, hands.consumer, name}] = {.lease = static_cast<int>(leases.size())};
                mine = true;
            } else {
                park({m, hands.consumer, name});
                ++result.parked;
            }
        }
        if (names.empty()) {
            park({m, hands.consumer, ""});
            ++result.parked;
        }
        if (mine) {
            result.members.push_back(m);
        }
    }
    if (!result.members.empty()) {
        result.lease = static_cast<int>(leases.size());
        leases.push_back({.consumer = hands.consumer,
                          .worker = worker,
                          .members = result.members,
                          .waited = waited});
    }
    return result;
}

void model::park(const owed_key& key) {
    const auto& the_message = nth(messages, key.message);
    const auto* by = nth(consumers, key.consumer).find(key.handler);
    auto& item = ledger[key];
    if (item.state == progress::leased && item.lease >= 0) {
        item.state = progress::in_flight;  // a first attempt about to be decided on
    } else {
        item.state = progress::pending;
        item.attempts = 0;
        item.due = the_message.available != availability::future;
    }
    item.parked = true;
    item.max_attempts = the_message.max_attempts.value_or(by == nullptr ? 5 : by->max_attempts);
    item.max_crashes = by == nullptr ? 3 : by->max_crashes;
}

}  // namespace postrider::test
