#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace postrider {

/// A string literal of JSON.
std::string json_string(std::string_view text);
void append_json_string(std::string& to, std::string_view text);
/// The number of bytes that append_json_string() appends: up to six for each byte of the text.
std::size_t json_string_size(std::string_view text);

/// Writes one object, members in the order they are added.
class json_object {
  public:
    json_object& add(std::string_view name, std::string_view value) {
        append_json_string(begin_member(name), value);
        return *this;
    }
    json_object& add(std::string_view name, const char* value) {
        return add(name, std::string_view(value));
    }
    json_object& add(std::string_view name, const std::string& value) {
        return add(name, std::string_view(value));
    }
    template <std::integral Number>
    json_object& add(std::string_view name, Number value) {
        if constexpr (std::same_as<Number, bool>) {
            return add_raw(name, value ? "true" : "false");
        } else {
            return add_raw(name, std::to_string(value));
        }
    }
    /// For members that together have about this many bytes.
    json_object& reserve(std::size_t bytes) {
        members_.reserve(bytes + 2);
        return *this;
    }
    /// Left out when there is no value.
    template <typename Value>
    json_object& add(std::string_view name, const std::optional<Value>& value) {
        return value ? add(name, *value) : *this;
    }
    /// `value` is JSON already.
    json_object& add_raw(std::string_view name, std::string_view value);
    /// Everything that another object has.
    json_object& add_members(const json_object& of);

    std::string text() const& { return "{" + members_ + "}"; }
    std::string text() && {
        members_.insert(members_.begin(), '{');
        members_ += '}';
        return std::move(members_);
    }

  private:
    std::string& begin_member(std::string_view name);

    std::string members_;
};

/// Writes one array.
class json_array {
  public:
    json_array& add(std::string_view value) { return add_raw(json_string(value)); }
    /// `value` is JSON already.
    json_array& add_raw(std::string_view value);
    std::string text() const { return "[" + items_ + "]"; }

  private:
    std::string items_;
};

}  // namespace postrider
