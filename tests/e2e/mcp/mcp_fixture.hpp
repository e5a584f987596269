#pragma once

#include <memory>
#include <string>
#include <vector>

#include "e2e/mcp/conversation.hpp"
#include "e2e/operating_fixture.hpp"

namespace postrider::test {

/// `postrider mcp`, and an agent that speaks to it.
class mcp_fixture : public operating_fixture {
  protected:
    void start(std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"mcp", "--person", "ann@ops"});
        agent_ = std::make_unique<conversation>(program::command(more), postrider_.variables());
    }
    void initialize() {
        agent_->ask(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":)"
                    R"({"protocolVersion":"2025-06-18","capabilities":{},)"
                    R"("clientInfo":{"name":"night-watch","version":"1"}}})");
        agent_->say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }
    std::string ask(const std::string& method, const std::string& params = "{}") {
        return agent_->ask(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" +
                           params + "}");
    }
    /// The reply to a call of a tool.
    std::string call(const std::string& tool, const std::string& arguments = "{}") {
        return ask("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}");
    }
    /// The result of a tool.
    std::string found(const std::string& reply, const std::string& path) {
        return json(reply, "{result,structuredContent," + path + "}");
    }
    /// The error of a tool; empty when it succeeded.
    std::string complaint(const std::string& reply) {
        return json(reply, "{result,isError}") == "true" ? json(reply, "{result,content,0,text}")
                                                         : "";
    }
    std::string code(const std::string& reply) { return json(reply, "{error,code}"); }

    std::unique_ptr<conversation> agent_;
};

}  // namespace postrider::test
