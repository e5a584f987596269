#include "property/model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::test {

void require(bool holds, const std::string& otherwise) {
    if (!holds) {
        throw disagreement(otherwise);
    }
}

const char* name_of(outcome result) {
    switch (result) {
        case outcome::delivered:
            return "delivered";
        case outcome::transient:
            return "transient";
        case outcome::terminal:
            return "terminal";
        case outcome::crashed:
            return "crashed";
        case outcome::snooze:
            return "snooze";
        case outcome::interrupted:
            return "interrupted";
    }
    return "";
}

bool handler::takes(const std::string& type) const {
    return std::ranges::any_of(patterns, [&](const std::string& pattern) {
        return pattern == "*" || pattern == type ||
               (pattern.ends_with(".*") &&
                type.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1)));
    });
}

handler* consumer::find(const std::string& handler_name) {
    const auto found = std::ranges::find(handlers, handler_name, &handler::name);
    return found == handlers.end() ? nullptr : &*found;
}

std::vector<std::string> consumer::route(const std::string& type) const {
    std::vector<std::string> names;
    for (const auto& each : handlers) {
        if (each.active && each.takes(type)) {
            names.push_back(each.name);
        }
    }
    return names;
}

void model::commit(const std::vector<int>& published) {
    ++clock_;
    for (const int each : published) {
        nth(messages, each).committed_at = clock_;
    }
}

int model::find_consumer(const std::string& name, const std::string& channel) const {
    const auto found = std::ranges::find_if(consumers, [&](const consumer& each) {
        return each.name == name && each.channel == channel;
    });
    return found == consumers.end() ? -1 : static_cast<int>(found - consumers.begin());
}

int model::create_consumer(const std::string& name, const std::string& channel,
                           bool from_beginning) {
    const int existing = find_consumer(name, channel);
    if (existing >= 0) {
        return existing;
    }
    const int start = from_beginning ? -1 : clock_;
    consumers.push_back({.name = name, .channel = channel, .position = {start, start}});
    return static_cast<int>(consumers.size()) - 1;
}

void model::register_handler(int consumer, handler definition) {
    auto& owner = nth(consumers, consumer);
    if (auto* known = owner.find(definition.name)) {
        if (!known->active || known->patterns != definition.patterns) {
            // Programs that route by the old types no longer count as having it.
            for (auto& each : workers) {
                if (each.consumer == consumer) {
                    each.handlers.erase(definition.name);
                }
            }
        }
        known->active = true;
        known->patterns = definition.patterns;
    } else {
        owner.handlers.push_back(definition);
    }
    // It gets the messages parked because no handler took their type.
    std::vector<owed_key> orphans;
    for (const auto& [key, item] : ledger) {
        if (key.consumer == consumer && key.handler.empty() &&
            definition.takes(nth(messages, key.message).type)) {
            orphans.push_back(key);
        }
    }
    for (const auto& key : orphans) {
        auto node = ledger.extract(key);
        const auto& the_message = nth(messages, key.message);
        node.key().handler = definition.name;
        node.mapped().max_attempts = the_message.max_attempts.value_or(definition.max_attempts);
        node.mapped().max_crashes = definition.max_crashes;
        ledger.insert(std::move(node));
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
    for (int m = 0; m < static_cast<int>(messages.size()); ++m) {
        const auto& the_message = nth(messages, m);
        if (the_message.committed_at == std::numeric_limits<int>::max() || !the_message.in_log) {
            continue;
        }
        for (int c = 0; c < static_cast<int>(consumers.size()); ++c) {
            const auto& by = nth(consumers, c);
            if (the_message.channel != by.channel ||
                the_message.target.value_or(by.name) != by.name || passed(by, m)) {
                continue;
            }
            const auto names = by.route(the_message.type);
            for (const auto& name : names) {
                add(m, c, name, "pending", {.attempts = 0});
            }
            if (names.empty() && the_message.target) {
                add(m, c, "", "pending", {.attempts = 0});
            }
        }
    }
    static const char* const status[] = {"in_flight", "pending", "in_flight", "delivered",
                                         "failed"};
    for (const auto& [key, item] : ledger) {
        if (item.parked || nth(messages, key.message).in_log) {
            add(key.message, key.consumer, key.handler, status[static_cast<int>(item.state)], item);
        }
    }
    std::ranges::sort(rows);
    return rows;
}

}  // namespace postrider::test
