// The rows of the view outbox.
#include <fmt/format.h>

#include <algorithm>

#include "property/model.hpp"

namespace postrider::test {

void model::view_pending(const row_sink& add) const {
    for (int m = 0; m < static_cast<int>(messages.size()); ++m) {
        const auto& the_message = nth(messages, m);
        for (int c = 0; c < static_cast<int>(consumers.size()); ++c) {
            const auto& by = nth(consumers, c);
            const bool waiting = by.waiting.contains(m);
            if (!the_message.committed() || !the_message.in_log ||
                the_message.channel != by.channel ||
                the_message.target.value_or(by.name) != by.name || (passed(by, m) && !waiting)) {
                continue;
            }
            const auto names = by.route(the_message.type);
            for (const auto& name : names) {
                add(m, c, name, "pending", {.attempts = 0});
            }
            if (names.empty() && (the_message.target || waiting)) {
                add(m, c, "", "pending", {.attempts = 0});
            }
        }
    }
}

bool model::in_flight(int consumer, int message) const {
    return std::ranges::any_of(leases, [&](const lease& each) {
        return each.consumer == consumer && !each.finished &&
               std::ranges::find(each.members, message) != each.members.end();
    });
}

/// Nothing is written for a message that waited and was delivered, so the view names the handlers
/// of its place in the log.
void model::view_waited(const row_sink& add) const {
    for (int l = 0; l < static_cast<int>(leases.size()); ++l) {
        for (const int m : nth(leases, l).members) {
            for (const auto& key : newcomers(l, m)) {
                add(m, key.consumer, key.handler, "in_flight", {});
            }
        }
    }
    for (int m = 0; m < static_cast<int>(messages.size()); ++m) {
        const auto& the_message = nth(messages, m);
        for (int c = 0; c < static_cast<int>(consumers.size()); ++c) {
            const auto& by = nth(consumers, c);
            if (!the_message.waits() || !the_message.in_log || the_message.channel != by.channel ||
                the_message.target.value_or(by.name) != by.name || !passed(by, m) ||
                by.waiting.contains(m) || in_flight(c, m)) {
                continue;
            }
            for (const auto& each : by.revisions) {
                const auto item = ledger.find({m, c, each.as.name});
                if (each.as.takes(the_message.type) && !covers(each.starts, m) &&
                    (!each.ends || covers(*each.ends, m)) &&
                    (item == ledger.end() || !item->second.parked)) {
                    add(m, c, each.as.name, "delivered", {});
                }
            }
        }
    }
}

std::vector<std::string> model::view() const {
    std::vector<std::string> rows;
    const auto add = [&](int message, int consumer, const std::string& handler, const char* status,
                         const owed& item) {
        rows.push_back(fmt::format("{} {} {} {} {}/{}/{}/{}", nth(messages, message).id,
                                   nth(consumers, consumer).name, handler.empty() ? "-" : handler,
                                   status, item.attempts, item.failures, item.crashes,
                                   item.interruptions));
    };
    view_pending(add);
    view_waited(add);
    static const char* const status[] = {"in_flight", "pending", "in_flight", "delivered",
                                         "failed"};
    for (const auto& [key, item] : ledger) {
        const auto& the_message = nth(messages, key.message);
        const bool without_trace = the_message.waits() && item.state == progress::delivered;
        if (item.parked || (the_message.in_log && !without_trace)) {
            add(key.message, key.consumer, key.handler, status[static_cast<int>(item.state)], item);
        }
    }
    std::ranges::sort(rows);
    return rows;
}

}  // namespace postrider::test
