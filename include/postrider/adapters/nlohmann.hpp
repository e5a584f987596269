#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <postrider/payload.hpp>
#include <string>
#include <string_view>

namespace postrider {

/// A type that nlohmann-json converts both ways: it has to_json() and from_json(), for example by
/// NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE, or is nlohmann::json itself.
template <typename Value>
concept nlohmann_value = requires(const Value& value, const nlohmann::json& document) {
    { nlohmann::json(value) } -> std::same_as<nlohmann::json>;
    { document.template get<Value>() } -> std::convertible_to<Value>;
};

/// Payloads of all these types. Unknown members are ignored, missing ones are an error.
template <nlohmann_value Value>
struct payload_codec<Value> {
    static std::string encode(const Value& value) { return nlohmann::json(value).dump(); }
    static Value decode(std::string_view text) {
        return nlohmann::json::parse(text).template get<Value>();
    }
};

}  // namespace postrider
