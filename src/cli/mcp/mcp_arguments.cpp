#include "cli/mcp/mcp_arguments.hpp"

#include <algorithm>
#include <charconv>

#include "cli/mcp/rpc.hpp"

namespace postrider::cli::mcp {
namespace {

[[noreturn]] void refuse(std::string_view name, const std::string& reason) {
    throw rpc::refusal{rpc::code::invalid_params, std::string(name) + ": " + reason};
}

template <typename Number>
std::optional<Number> read(std::string_view text) {
    Number value{};
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

}  // namespace

// The last value of a repeated name counts; null means absent.
std::optional<std::string_view> arguments::find(std::string_view name) {
    asked_.push_back(name);
    const auto found = std::find_if(members_.rbegin(), members_.rend(),
                                    [&](const auto& member) { return member.name == name; });
    if (found == members_.rend() || found->value == "null") {
        return std::nullopt;
    }
    return found->value;
}

std::optional<std::string> arguments::text(std::string_view name) {
    const auto value = find(name);
    if (!value) {
        return std::nullopt;
    }
    if (!value->starts_with('"')) {
        refuse(name, "must be a string");
    }
    return json_unquoted(*value);
}

std::optional<std::int64_t> arguments::integer(std::string_view name, std::int64_t low,
                                               std::int64_t high) {
    const auto value = find(name);
    if (!value) {
        return std::nullopt;
    }
    const auto number = read<std::int64_t>(*value);
    if (!number || *number < low || *number > high) {
        refuse(name, "must be a whole number from " + std::to_string(low) + " to " +
                         std::to_string(high));
    }
    return number;
}

std::optional<double> arguments::number(std::string_view name) {
    const auto value = find(name);
    if (!value) {
        return std::nullopt;
    }
    const auto number = read<double>(*value);
    if (!number) {
        refuse(name, "must be a number");
    }
    return number;
}

std::optional<std::string> arguments::object(std::string_view name) {
    const auto value = find(name);
    if (!value) {
        return std::nullopt;
    }
    if (!value->starts_with('{')) {
        refuse(name, "must be an object");
    }
    return std::string(*value);
}

void arguments::refuse_others() const {
    for (const auto& member : members_) {
        if (std::ranges::find(asked_, member.name) == asked_.end()) {
            refuse(member.name, "unknown argument");
        }
    }
}

}  // namespace postrider::cli::mcp
