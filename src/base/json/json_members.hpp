#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider {

/// One member of a JSON object; the value is a piece of the object's own text, as it was written.
struct json_member {
    std::string name;
    std::string_view value;
};

/// The members of a text that check_json() has found to be an object. Values are not read,
/// so they pass through unchanged: numbers of any length, keys that occur twice.
std::vector<json_member> json_members(std::string_view object);

/// Calls `take` for each of them in turn.
void for_each_json_member(std::string_view object, const std::function<void(json_member)>& take);

/// The first member of each of these names. The others take no memory.
std::vector<json_member> json_members(std::string_view object,
                                      std::span<const std::string_view> names);

/// The items of a text that is a JSON array.
std::vector<std::string_view> json_items(std::string_view array);

/// The value of a JSON string literal with its quotes.
std::string json_unquoted(std::string_view literal);

}  // namespace postrider
