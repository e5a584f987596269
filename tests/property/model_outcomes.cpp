// The outcomes of claimed messages.
#include <algorithm>

#include "property/model.hpp"

namespace postrider::test {

std::vector<owed_key> model::of_lease(int lease, int message) const {
    const int consumer = nth(leases, lease).consumer;
    std::vector<owed_key> keys;
    for (auto at = ledger.lower_bound({message, consumer, ""});
         at != ledger.end() && at->first.message == message && at->first.consumer == consumer;
         ++at) {
        if (at->second.state == progress::leased && at->second.lease == lease) {
            keys.push_back(at->first);
        }
    }
    return keys;
}

std::vector<owed_key> model::newcomers(int lease, int message) const {
    const auto& held = nth(leases, lease);
    std::vector<owed_key> keys;
    if (held.waited) {
        for (const auto& name : nth(consumers, held.consumer).route(nth(messages, message).type)) {
            const owed_key key{message, held.consumer, name};
            if (!ledger.contains(key)) {
                keys.push_back(key);
            }
        }
    }
    return keys;
}

std::string model::settle(int lease, const std::optional<std::set<int>>& delivered,
                          const std::vector<failure>& failures) {
    auto& the_lease = nth(leases, lease);
    if (the_lease.removed || the_lease.reaped) {
        return "lost_lease";
    }
    if (the_lease.finished) {
        return "settled";
    }
    std::set<int> done;
    for (const auto& each : failures) {
        if (std::ranges::find(the_lease.members, each.message) == the_lease.members.end()) {
            continue;
        }
        done.insert(each.message);
        for (const auto& key : newcomers(lease, each.message)) {
            if (each.handler.value_or(key.handler) == key.handler) {
                ledger[key] = {.lease = lease};
            }
        }
        for (const auto& key : of_lease(lease, each.message)) {
            if (each.handler.value_or(key.handler) == key.handler) {
                park(key);
                conclude(key, each.result, each.at_once);
                ledger.at(key).suspect = each.reaped;
            }
        }
    }
    for (const int m : the_lease.members) {
        if (!delivered || delivered->contains(m)) {
            done.insert(m);
        }
    }
    for (const int m : done) {
        if (std::erase(the_lease.members, m) == 0) {
            continue;
        }
        for (const auto& key : of_lease(lease, m)) {
            ledger[key].state = progress::delivered;
        }
    }
    the_lease.finished = the_lease.members.empty();
    return the_lease.finished ? "settled" : "open";
}

void model::conclude(const owed_key& key, outcome result, bool at_once) {
    auto& item = ledger.at(key);
    const bool charged =
        result == outcome::transient || result == outcome::terminal || result == outcome::crashed;
    item.failures += result == outcome::transient || result == outcome::terminal ? 1 : 0;
    item.crashes += result == outcome::crashed ? 1 : 0;
    item.interruptions += result == outcome::interrupted ? 1 : 0;
    if (result == outcome::delivered) {
        item.state = progress::delivered;
    } else if (result == outcome::terminal || (charged && item.attempts >= item.max_attempts) ||
               (result == outcome::crashed && item.crashes >= item.max_crashes)) {
        item.state = progress::failed;
    } else {
        item.state = progress::pending;
        item.attempts -= charged ? 0 : 1;
    }
    item.due = at_once || result == outcome::interrupted;
    item.lease = -1;
    item.token.clear();
    item.worker = -1;
    item.overdue = false;
}

bool model::lost(int worker) const {
    const auto& the_worker = nth(workers, worker);
    return !the_worker.alive || !the_worker.registered;
}

model::reaped model::reap() {
    reaped count;
    for (std::size_t i = 0; i < leases.size(); ++i) {
        auto& each = leases[i];
        if (each.finished || (!each.overdue && !lost(each.worker))) {
            continue;
        }
        std::vector<failure> all;
        for (const int m : each.members) {
            all.push_back({.message = m, .result = outcome::interrupted, .reaped = true});
        }
        settle(static_cast<int>(i), std::set<int>{}, all);
        each.reaped = true;
        ++count.leases;
    }
    for (auto& [key, item] : ledger) {
        if (item.state == progress::in_flight && (item.overdue || lost(item.worker))) {
            conclude(key,
                     item.suspect || item.crashes > 0 ? outcome::crashed : outcome::interrupted,
                     false);
            item.suspect = true;
            ++count.deliveries;
        }
    }
    return count;
}

bool model::claimable(int worker, const owed_key& key, const owed& item, bool alone) const {
    const auto& the_worker = nth(workers, worker);
    return key.consumer == the_worker.consumer && the_worker.handlers.contains(key.handler) &&
           item.state == progress::pending && item.due && (alone || item.crashes == 0) &&
           !nth(consumers, the_worker.consumer).paused;
}

}  // namespace postrider::test
