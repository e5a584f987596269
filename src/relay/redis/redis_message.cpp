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

using fields = std::span<const redis_group::field>;

auto find_field(fields all, std::string_view name) {
    return std::ranges::find(all, name, &redis_group::field::first);
}

}  // namespace

// Without the field `data`, the fields become JSON, where a byte can take six.
std::size_t message_size_of(fields all) {
    const bool plain = find_field(all, "data") != all.end();
    std::size_t size = 0;
    for (const auto& [name, value] : all) {
        size += plain ? name.size() + value.size()
                      : json_string_size(name) + json_string_size(value) + 2;
    }
    return size;
}

received_message message_of(const redis_group::entry& from, const std::string& stream) {
    received_message made;
    made.id = from.id;
    made.source = stream;
    made.event_type = stream;
    made.published_at = made.occurred_at = time_of(from.id);
    made.deliveries = from.deliveries;
    made.receipt = from.id;
    const fields every = from.fields;
    const auto header_of = [&](const std::string& name) -> std::optional<std::string> {
        const auto found = find_field(every, name);
        return found == every.end() ? std::nullopt : std::optional<std::string>(found->second);
    };
    if (const auto data = find_field(every, "data"); data != every.end()) {
        return client::read_event(std::move(made), header_of, std::string(data->second),
                                  client::binding::kafka);
    }
    json_object all;
    all.reserve(from.message_bytes);
    for (const auto& [name, value] : from.fields) {
        all.add(name, value);
    }
    return client::read_event(std::move(made), header_of, std::move(all).text(),
                              client::binding::kafka);
}

}  // namespace postrider::relaying
