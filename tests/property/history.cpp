#include "property/history.hpp"

#include <fmt/format.h>

namespace postrider::test {
namespace {

std::string describe(const model& now, const owed_key& key) {
    return fmt::format("{} for {} of {}", nth(now.messages, key.message).id,
                       key.handler.empty() ? "no handler" : key.handler,
                       nth(now.consumers, key.consumer).name);
}

}  // namespace

void history::claimed(const model& now, int consumer, int message) {
    const auto& the_message = nth(now.messages, message);
    const auto [last, first] = last_of_transaction_.try_emplace({consumer, the_message.xid}, -1);
    require(last->second < message,
            the_message.id + " was claimed after a later one of its transaction");
    last->second = message;
}

void history::started(const model& now, const owed_key& key) {
    auto& own = lives_[key];
    require(nth(now.messages, key.message).committed_at != std::numeric_limits<int>::max(),
            describe(now, key) + " was handed out and never committed");
    require(!own.running, describe(now, key) + " was handed out twice at the same time");
    require(own.delivered == 0, describe(now, key) + " was handed out again after its delivery");
    require(!own.dead, describe(now, key) + " was handed out again after its death");
    own.running = true;
}

void history::follow(const model& now) {
    for (auto& [key, own] : lives_) {
        if (!own.running) {
            continue;
        }
        const auto state = now.ledger.at(key).state;
        own.running = state == progress::leased || state == progress::in_flight;
        own.delivered += state == progress::delivered ? 1 : 0;
        own.dead = state == progress::failed;
    }
}

void history::require_complete(const model& now) const {
    for (const auto& [key, item] : now.ledger) {
        const auto found = lives_.find(key);
        require(found != lives_.end(), describe(now, key) + " was never handed out");
        const auto& own = found->second;
        require(!own.running && own.delivered + (own.dead ? 1 : 0) == 1,
                describe(now, key) + fmt::format(" was delivered {} times", own.delivered));
    }
}

}  // namespace postrider::test
