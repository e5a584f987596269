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

bool consumer::wants(const message& the_message) const {
    return the_message.channel == channel &&
           (the_message.target ? *the_message.target == name : !route(the_message.type).empty());
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
    consumers.push_back(
        {.name = name, .channel = channel, .position = {start, start}, .noted_until = start});
    return static_cast<int>(consumers.size()) - 1;
}

void model::register_handler(int consumer, handler definition) {
    auto& owner = nth(consumers, consumer);
    const auto* before = owner.find(definition.name);
    if (before == nullptr || !before->active || before->patterns != definition.patterns) {
        end_revision(owner, definition.name);
        owner.revisions.push_back({.as = definition, .starts = owner.position});
    }
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

void model::retire_handler(int consumer, const std::string& name) {
    auto& owner = nth(consumers, consumer);
    owner.find(name)->active = false;
    end_revision(owner, name);
}

void model::end_revision(consumer& of, const std::string& name) {
    for (auto& each : of.revisions) {
        if (each.as.name == name && !each.ends) {
            each.ends = of.position;
        }
    }
}

}  // namespace postrider::test
