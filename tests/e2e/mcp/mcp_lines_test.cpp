#include <random>

#include "cli/mcp/rpc.hpp"
#include "e2e/mcp/mcp_fixture.hpp"

namespace postrider::test {
namespace {

using mcp_lines_test = mcp_fixture;

const std::vector<std::string>& well_formed() {
    static const std::vector<std::string> lines{
        R"({"jsonrpc":"2.0","id":7,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":"x","method":"tools/list","params":{}})",
        R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"nothing","arguments":{"a":[1,"\u00e9",null]}}})",
        R"({"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})"};
    return lines;
}

/// The error in a line, and the code of the answer; 0: no answer.
struct wrong_line {
    std::string text;
    int code;
};

std::vector<wrong_line> wrong_lines() {
    const auto request = [](const std::string& members) { return "{" + members + "}"; };
    return {{"", 0},
            {" \r", 0},
            {"x", -32700},
            {"{", -32700},
            {"nul", -32700},
            {"[]", -32600},
            {"null", -32600},
            {"42", -32600},
            {"\"text\"", -32600},
            {"{}", -32600},
            {"[" + well_formed()[0] + "]", -32600},
            {request(R"("id":1,"method":"ping")"), -32600},
            {request(R"("jsonrpc":"1.0","id":1,"method":"ping")"), -32600},
            {request(R"("jsonrpc":2.0,"id":1,"method":"ping")"), -32600},
            {request(R"("jsonrpc":"2.0","id":1)"), -32600},
            {request(R"("jsonrpc":"2.0","id":1,"method":5)"), -32600},
            {request(R"("jsonrpc":"2.0","id":null,"method":"ping")"), -32600},
            {request(R"("jsonrpc":"2.0","id":1.5,"method":"ping")"), -32600},
            {request(R"("jsonrpc":"2.0","id":{},"method":"ping")"), -32600},
            {request(R"("jsonrpc":"2.0","id":99999999999999999999,"method":"ping")"), -32600},
            {request(R"("jsonrpc":"2.0","id":1,"method":"ping","params":[])"), -32602},
            {request(R"("jsonrpc":"2.0","id":1,"method":"ping","params":"x")"), -32602},
            {request(R"("jsonrpc":"2.0","id":1,"method":"")"), -32601},
            {request(R"("jsonrpc":"2.0","id":1,"method":"tools\u0000")"), -32700},
            {request(R"("jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1e400})"), -32700},
            {request(R"("jsonrpc":"2.0","method":"no/such/notification")"), 0},
            {request(R"("jsonrpc":"2.0","method":"ping","params":[])"), 0},
            {request(R"("jsonrpc":"2.0","id":1,"result":{})"), 0},
            {request(R"("jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"})"), 0},
            {well_formed()[0] + well_formed()[0], -32700},
            {"\xff\xfe{}", -32700},
            {std::string("{\0}", 3), -32700},
            {R"({"jsonrpc":"2.0","id":1,"method":"\ud800"})", -32700},
            {std::string(200000, '['), -32700},
            {R"({"a":)" + std::string(200000, '[') + std::string(200000, ']') + "}", -32700},
            {std::string((1U << 20U) + 1, ' '), -32700}};
}

TEST_F(mcp_lines_test, every_malformed_line_gets_its_code_and_the_next_one_is_heard) {
    start();
    for (const auto& [text, code] : wrong_lines()) {
        const auto shown = text.substr(0, 80);
        agent_->say(text);
        if (code != 0) {
            const auto reply = agent_->hear();
            EXPECT_EQ(this->code(reply), std::to_string(code)) << shown << "\n" << reply;
            EXPECT_EQ(json(reply, "{jsonrpc}"), "2.0");
        }
        const auto alive = agent_->ask(R"({"jsonrpc":"2.0","id":"alive","method":"ping"})");
        ASSERT_EQ(alive, R"({"jsonrpc":"2.0","id":"alive","result":{}})") << shown;
    }
    EXPECT_EQ(agent_->wait(), 0);
}

TEST_F(mcp_lines_test, a_line_without_an_end_is_answered_when_the_input_ends) {
    start();
    agent_->say(well_formed()[0], "");
    agent_->hang_up();
    EXPECT_EQ(agent_->hear(), R"({"jsonrpc":"2.0","id":7,"result":{}})");
    EXPECT_EQ(agent_->wait(), 0);
}

// Every prefix of a valid line, and valid lines with changed bytes: each gets at most one answer,
// which is valid.
TEST(mcp_lines, damaged_lines_are_answered_and_never_believed) {
    std::minstd_rand random(20260301);
    std::vector<std::string> lines;
    for (const auto& line : well_formed()) {
        for (std::size_t end = 0; end < line.size(); ++end) {
            lines.push_back(line.substr(0, end));
        }
        for (int i = 0; i < 3000; ++i) {
            auto damaged = line;
            for (auto changes = 1 + random() % 4; changes > 0; --changes) {
                damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
            }
            lines.push_back(damaged);
        }
    }
    for (const auto& line : lines) {
        const auto reply =
            cli::rpc::answer(line, [](const cli::rpc::request& asked) -> nlohmann::ordered_json {
                if (!asked.params.is_object()) {
                    throw std::logic_error("params are an object");
                }
                throw cli::rpc::refusal{cli::rpc::code::method_not_found, asked.method};
            });
        if (!reply.empty()) {
            EXPECT_TRUE(reply.starts_with(R"({"jsonrpc":"2.0","id":)")) << line << "\n" << reply;
            EXPECT_EQ(reply.find('\n'), std::string::npos) << line;
        }
    }
}

}  // namespace
}  // namespace postrider::test
