#include "cli/mcp/mcp_arguments.hpp"

#include <algorithm>

#include "cli/mcp/rpc.hpp"

namespace postrider::cli::mcp {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
    throw rpc::refusal{rpc::code::invalid_params, name + ": " + reason};
}

}  // namespace

// An argument that is null counts as absent.
const nlohmann::json* arguments::find(const std::string& name) {
    asked_.push_back(name);
    const auto found = values_.find(name);
    return found == values_.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> arguments::text(const std::string& name) {
    const auto* value = find(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_string()) {
        refuse(name, "must be a string");
    }
    return value->get<std::string>();
}

std::optional<std::int64_t> arguments::integer(const std::string& name, std::int64_t low,
                                               std::int64_t high) {
    const auto* value = find(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_number_integer() || *value < low || *value > high) {
        refuse(name, "must be a whole number from " + std::to_string(low) + " to " +
                         std::to_string(high));
    }
    return value->get<std::int64_t>();
}

std::optional<double> arguments::number(const std::string& name) {
    const auto* value = find(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_number()) {
        refuse(name, "must be a number");
    }
    return value->get<double>();
}

std::optional<nlohmann::json> arguments::object(const std::string& name) {
    const auto* value = find(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_object()) {
        refuse(name, "must be an object");
    }
    return *value;
}

void arguments::refuse_others() const {
    for (const auto& [name, value] : values_.items()) {
        if (std::ranges::find(asked_, name) == asked_.end()) {
            refuse(name, "unknown argument");
        }
    }
}

}  // namespace postrider::cli::mcp
