#pragma once

#include <optional>
#include <string>

#include "cli/mcp/mcp_tools.hpp"
#include "cli/mcp/rpc.hpp"

namespace postrider::cli::mcp {

/// The Model Context Protocol for one agent: requests and results. Connects to the database when a
/// tool needs it, and reconnects after a connection loss.
class server {
  public:
    struct options {
        std::string database;
        std::string person;      ///< person the agent acts for
        std::string agent = {};  ///< its name; empty: the name it reports
        powers may = {};
    };

    explicit server(options settings) : options_(std::move(settings)) {}

    /// For rpc::answer().
    nlohmann::ordered_json handle(const rpc::request& asked);

  private:
    nlohmann::ordered_json initialize(const nlohmann::json& params);
    nlohmann::ordered_json list_tools() const;
    nlohmann::ordered_json call_tool(const nlohmann::json& params);
    pg::connection& connected();
    std::string actor() const;

    options options_;
    std::string client_;
    std::optional<pg::connection> session_;
    bool fits_ = false;  ///< whether the schema was checked and is supported
};

}  // namespace postrider::cli::mcp
