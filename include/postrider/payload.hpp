#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace postrider {

/// Converts values of a type to payloads and back. Specialise it, or include
/// <postrider/adapters/nlohmann.hpp>, which does so for every type that nlohmann-json can convert.
///
///   template <>
///   struct postrider::payload_codec<user> {
///       static std::string encode(const user& value);        // JSON text
///       static user decode(std::string_view text);           // throws when it does not fit
///   };
template <typename Value>
struct payload_codec;

template <typename Value>
concept payload_value = requires(const Value& value, std::string_view text) {
    { payload_codec<Value>::encode(value) } -> std::convertible_to<std::string>;
    { payload_codec<Value>::decode(text) } -> std::convertible_to<Value>;
};

/// A value as the payload of a message: {.event_type = "user.created", .payload = encode(user)}.
template <payload_value Value>
std::string encode(const Value& value) {
    return payload_codec<Value>::encode(value);
}

}  // namespace postrider
