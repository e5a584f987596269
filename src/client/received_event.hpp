#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <postrider/export.hpp>
#include <postrider/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::client {

/// How a protocol carries the attributes of a CloudEvent in binary mode.
enum class binding {
    http,   ///< "ce-id", values percent-encoded; NATS has the same
    kafka,  ///< "ce_id", values in UTF-8; Redis and pgmq have none, and use this one
};

/// The value of a header; nothing when the message does not have it.
using header_value_of = std::function<std::optional<std::string>(const std::string& name)>;

/// The headers that read_event() asks for: a source need not keep the others.
std::vector<std::string> header_names(binding how);

/// The instant that a broker or a producer names in milliseconds since 1970; now when the value is
/// out of range.
POSTRIDER_EXPORT std::chrono::system_clock::time_point instant_of(std::int64_t milliseconds);

/// A message of a broker: a CloudEvent in binary or structured mode, as a relay and other producers
/// write them, or a message in any other format. `made` has the receipt, and the id, type, source
/// and time for messages that are no CloudEvent. A body that is not JSON becomes the member
/// data_base64 of an object. Exported for postrider::relay.
POSTRIDER_EXPORT received_message read_event(received_message made, const header_value_of& header,
                                             std::string body, binding how);

}  // namespace postrider::client
