#include "worker/runs/handlers.hpp"

#include <algorithm>
#include <postrider/error.hpp>

#include "base/encoding/utf8.hpp"
#include "base/json/json.hpp"

namespace postrider::working {
namespace {

std::optional<std::int64_t> count_of(std::optional<std::chrono::milliseconds> length) {
    return length ? std::optional<std::int64_t>(length->count()) : std::nullopt;
}

std::string as_json(const circuit_policy& policy) {
    return json_object()
        .add("failures", policy.failures)
        .add("open_ms", count_of(policy.open))
        .add("cap_ms", count_of(policy.cap))
        .add("ramp", policy.ramp)
        .text();
}

}  // namespace

std::string as_json(const broker_place& place, std::string_view direction) {
    return json_object()
        .add("direction", direction)
        .add("address", place.address)
        .add("name", place.name)
        .text();
}

void require_text(std::string_view name, const std::string& field) {
    if (usable_utf8(name) != name.size()) {
        throw usage_error(field + " must be UTF-8 without zero bytes");
    }
}

bool matches(std::string_view event_type, std::string_view pattern) {
    if (pattern == "*") {
        return true;
    }
    if (pattern.ends_with(".*")) {
        return event_type.starts_with(pattern.substr(0, pattern.size() - 1));
    }
    return event_type == pattern;
}

void handler_table::add(handler one) {
    require_text(one.name, "the name of a handler");
    for (const auto* texts : {&one.patterns, &one.options.terminal_classes,
                              &one.options.transient_classes, &one.options.outage_classes}) {
        for (const auto& text : *texts) {
            require_text(text, "handler " + one.name + ": an event type or error class");
        }
    }
    if (one.options.limit) {
        require_text(one.options.limit->key, "handler " + one.name + ": the key of its limit");
        for (const auto& [key, turns] : one.options.limit->weights) {
            require_text(key, "handler " + one.name + ": a key with a weight");
        }
    }
    if (find(one.name) != nullptr) {
        throw usage_error("handler " + one.name +
                          " is registered twice; give it several event types instead");
    }
    if (one.patterns.empty()) {
        throw usage_error("handler " + one.name + " needs an event type, for example \"user.*\"");
    }
    if (one.options.timeout <= std::chrono::milliseconds(0) || one.options.timeout > timeout_max) {
        throw usage_error("handler " + one.name +
                          ": the timeout must be positive, at most 24 days");
    }
    if (one.options.batch_max < 0) {
        throw usage_error("handler " + one.name + ": batch_max must not be negative");
    }
    all_.push_back(std::move(one));
}

const handler* handler_table::find(std::string_view name) const {
    const auto found = std::ranges::find(all_, name, &handler::name);
    return found == all_.end() ? nullptr : &*found;
}

std::vector<const handler*> handler_table::for_type(std::string_view event_type) const {
    std::vector<const handler*> found;
    for (const auto& one : all_) {
        if (std::ranges::any_of(
                one.patterns, [&](const auto& pattern) { return matches(event_type, pattern); })) {
            found.push_back(&one);
        }
    }
    return found;
}

std::chrono::milliseconds handler_table::longest_timeout() const {
    std::chrono::milliseconds longest{0};
    for (const auto& one : all_) {
        longest = std::max(longest, one.options.timeout);
    }
    return longest;
}

int handler_table::largest_batch() const {
    int largest = 1;
    for (const auto& one : all_) {
        largest = one.in_batches() ? std::max(largest, one.options.batch_max) : largest;
    }
    return largest;
}

std::vector<std::pair<std::string, int>> handler_table::batches() const {
    constexpr int most = 10'000;  // messages per claim
    std::vector<std::pair<std::string, int>> found;
    for (const auto& one : all_) {
        if (one.in_batches()) {
            found.emplace_back(one.name, std::min(one.options.batch_max, most));
        }
    }
    return found;
}

std::vector<store::handler_registration> handler_table::registrations() const {
    std::vector<store::handler_registration> list;
    list.reserve(all_.size());
    for (const auto& one : all_) {
        const auto& how = one.options;
        store::handler_registration item;
        item.name = one.name;
        item.event_types = one.patterns;
        if (how.retry != retry_policy{}) {
            item.retry = to_json(how.retry);
        }
        item.max_attempts = how.max_attempts;
        item.max_crashes = how.max_crashes;
        item.terminal_classes = how.terminal_classes;
        item.transient_classes = how.transient_classes;
        item.outage_classes = how.outage_classes;
        item.honour_terminal = how.honour_terminal;
        if (how.circuit != circuit_policy{}) {
            item.circuit = as_json(how.circuit);
        }
        if (!how.relays_to.address.empty()) {
            item.broker = as_json(how.relays_to, "to");
        }
        if (how.limit) {
            item.limit = to_json(*how.limit);
        }
        list.push_back(std::move(item));
    }
    return list;
}

const std::vector<const handler*>& route_cache::operator[](std::string_view event_type) {
    constexpr std::size_t most = 10'000;  // a producer may put ids into event types
    if (const auto found = known_.find(event_type); found != known_.end()) {
        return found->second;
    }
    if (known_.size() >= most) {
        known_.clear();
    }
    return known_.emplace(event_type, table_.for_type(event_type)).first->second;
}

}  // namespace postrider::working
