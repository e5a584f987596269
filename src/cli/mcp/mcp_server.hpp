#pragma once

#include <optional>
#include <string>

#include "cli/mcp/mcp_tools.hpp"
#include "cli/mcp/rpc.hpp"

namespace postrider::cli::mcp {

/// The Model Context Protocol for one agent: what is asked, and what is answered. The database is
/// connected to when a tool needs it, and again after it was away.
class server {
  public:
    struct options {
        std::string database;
        std::string person;      ///< for whom the agent works
        std::string agent = {};  ///< its name; empty: the one it gives itself
        powers may = {};
    };

    explicit server(options given) : options_(std::move(given)) {}

    /// For rpc::answer().
    std::string handle(const rpc::request& asked);

  private:
    std::string initialize(const std::string& params);
    std::string list_tools() const;
    std::string call_tool(const std::string& params);
    pg::connection& connected();
    std::string actor() const;

    options options_;
    std::string client_;
    std::optional<pg::connection> session_;
    bool fits_ = false;  ///< the schema of the session, as far as was looked
};

}  // namespace postrider::cli::mcp
