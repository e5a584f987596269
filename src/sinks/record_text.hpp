#pragma once

#include <chrono>
#include <optional>
#include <postrider/sink.hpp>
#include <string>
#include <string_view>

#include "base/json/json.hpp"

namespace postrider::sinks {

inline constexpr std::size_t name_bytes_max = 256;
inline constexpr std::size_t error_bytes_max = 1000;

/// Adds valid UTF-8 of at most twice `bytes_max`, however much escaping the text needs.
void add_bounded(json_object& to, std::string_view name, std::string_view value,
                 std::size_t bytes_max);

inline void add_name(json_object& to, std::string_view name, std::string_view value) {
    add_bounded(to, name, value, name_bytes_max);
}
inline void add_error(json_object& to, std::string_view name, std::string_view value) {
    add_bounded(to, name, value, error_bytes_max);
}
/// null when there is no value: every line has the same members.
void add_name(json_object& to, std::string_view name, std::optional<std::string_view> value);

/// The last or first instant of the clock when it lies beyond.
std::chrono::system_clock::time_point end_of(const handle_record& run);
/// RFC 3339 in UTC with microseconds.
std::string instant_text(std::chrono::system_clock::time_point at);
std::string milliseconds_text(std::chrono::nanoseconds duration);
std::string host_name();

}  // namespace postrider::sinks
