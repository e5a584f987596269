#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/mcp/mcp_arguments.hpp"
#include "pg/connection.hpp"

namespace postrider::cli::mcp {

/// What an agent may do here.
struct powers {
    bool payloads = false;  ///< see payloads, headers and metadata
    bool direct = false;    ///< start replays; otherwise a person approves them
};

/// What a tool works with.
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
    bool changes;             ///< more than it shows
    /// Gives an object as JSON.
    std::string (*call)(const desk& at, arguments& given);
};

std::span<const tool> tools();

/// The tool's own description of itself, for tools/list.
std::string describe(const tool& one);

}  // namespace postrider::cli::mcp
