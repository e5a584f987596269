#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <postrider/payload.hpp>
#include <stdexcept>
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
        return nlohmann::json::parse(text, require_depth).template get<Value>();
    }

  private:
    // Copying and writing a document recurse. A producer in SQL can nest deeper than the library's
    // publish() allows.
    static bool require_depth(int depth, nlohmann::json::parse_event_t found, nlohmann::json&) {
        constexpr int depth_max = 512;
        using parse_event = nlohmann::json::parse_event_t;
        if (depth >= depth_max &&
            (found == parse_event::object_start || found == parse_event::array_start)) {
            throw std::length_error("the payload is nested deeper than 512 levels");
        }
        return true;
    }
};

}  // namespace postrider
