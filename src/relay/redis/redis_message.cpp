#include "relay/redis/redis_message.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/json/json.hpp"
#include "client/received_event.hpp"

namespace postrider::relaying {
namespace {

// Producers may choose ids, and with them times out of range.
std::chrono::system_clock::time_point time_of(std::string_view id) {
    std::int64_t count = 0;
    std::from_chars(id.data(), id.data() + id.size(), count);
    return client::instant_of(count);
}

}  // namespace

received_message message_of(const redis_group::entry& from, const std::string& stream) {
    received_message made;
    made.id = from.id;
    made.source = stream;
    made.event_type = stream;
    made.published_at = made.occurred_at = time_of(from.id);
    made.deliveries = from.deliveries;
    made.receipt = from.id;
    const auto field = [&](std::string_view name) {
        return std::ranges::find(from.fields, name, &redis_group::field::first);
    };
    const auto header_of = [&](const std::string& name) -> std::optional<std::string> {
        const auto found = field(name);
        return found == from.fields.end() ? std::nullopt
                                          : std::optional<std::string>(found->second);
    };
    if (const auto data = field("data"); data != from.fields.end()) {
        return client::read_event(std::move(made), header_of, data->second, client::binding::kafka);
    }
    json_object all;
    for (const auto& [name, value] : from.fields) {
        all.add(name, value);
    }
    return client::read_event(std::move(made), header_of, all.text(), client::binding::kafka);
}

}  // namespace postrider::relaying
