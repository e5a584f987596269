#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/mcp/mcp_arguments.hpp"
#include "pg/connection.hpp"

namespace postrider::cli::mcp {

/// Permissions of an agent.
struct powers {
    bool payloads = false;  ///< see payloads, headers and metadata
    bool direct = false;    ///< start replays; otherwise a person approves them
};

/// The environment of a tool call.
struct desk {
    pg::connection& session;
    std::string database;
    std::string actor;  ///< for the audit
    powers may;
};

struct tool {
    std::string_view name;
    std::string_view title;
    std::string_view description;
    std::string_view schema;  ///< of its arguments, JSON
    bool changes;             ///< whether it changes data
    /// Returns an object.
    nlohmann::ordered_json (*call)(const desk& at, arguments& input);
};

std::span<const tool> tools();

/// The description of the tool, for tools/list.
nlohmann::ordered_json describe(const tool& one);

}  // namespace postrider::cli::mcp
