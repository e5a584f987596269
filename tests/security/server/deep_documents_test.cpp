// Documents that are nested so deep that code which recurses would run out of stack.
#include <csignal>
#include <fstream>
#include <postrider/adapters/nlohmann.hpp>
#include <postrider/postrider.hpp>

#include "base/json/check_json.hpp"
#include "serve/routes/call.hpp"
#include "serve/serve_fixture.hpp"
#include "support/process.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::test {
namespace {

std::string nested(std::size_t levels, const std::string& open = "[",
                   const std::string& close = "]") {
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) {
        text += open;
    }
    text += open == "[" ? "" : "1";
    for (std::size_t i = 0; i < levels; ++i) {
        text += close;
    }
    return text;
}

class deep_documents_test : public serve_fixture {
  protected:
    std::map<std::string, std::string> environment() const {
        return {{"POSTRIDER_DATABASE_URL", database_.conninfo()}};
    }
};

TEST_F(deep_documents_test, the_limit_is_the_same_for_every_reader) {
    EXPECT_EQ(check_json(nested(json_depth_max)).problem, nullptr);
    EXPECT_EQ(check_json(nested(json_depth_max, "{\"a\":", "}")).problem, nullptr);
    for (const auto& text : {nested(json_depth_max + 1), nested(json_depth_max + 1, "{\"a\":", "}"),
                             nested(json_depth_max, "[{\"a\":", "}]"), nested(5000000)}) {
        const auto found = check_json(text);
        ASSERT_NE(found.problem, nullptr);
        EXPECT_NE(std::string(found.problem).find("512"), std::string::npos) << found.problem;
    }
    // PostgreSQL takes all that is accepted.
    session_.exec("select '" + nested(json_depth_max) + "'::jsonb");
}

TEST_F(deep_documents_test, no_body_of_any_route_ends_the_server) {
    seed();
    start();
    const auto deep = nested(80000, "{\"a\":", "}");
    const auto deliveries = nested(100000);
    auto sent = bearer("prt_admin");
    sent.emplace("x-postrider", "1");
    for (const auto& endpoint : serve::routes(options())) {
        if (endpoint.method != "POST") {
            continue;
        }
        auto path = endpoint.path;
        for (auto at = path.find('{'); at != std::string::npos; at = path.find('{')) {
            path.replace(at, path.find('}') - at + 1, "1");
        }
        for (const auto& body :
             {deep, R"({"filter":)" + deep + R"(,"reason":"x"})",
              R"({"filter":{"deliveries":)" + deliveries + R"(},"reason":"x"})",
              R"({"payload":)" + deep + R"(,"headers":)" + deep + R"(,"reason":"x"})",
              R"({"reason":)" + deep + "}"}) {
            const auto answer = reply_of(client().Post(path, sent, body, "application/json"));
            // Bodies of the routes that need no token are small.
            const int expected = path.starts_with("/api/v1/session") ? 413 : 400;
            EXPECT_EQ(answer.status, expected) << path << body.substr(0, 60) << answer.text;
        }
    }
    EXPECT_EQ(get("/healthz", "").status, 200);
}

TEST_F(deep_documents_test, mcp_refuses_a_deep_message_and_goes_on) {
    const scratch_directory place;
    const auto file = (place.path() / "input").string();
    const std::string call =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_dlq_events","arguments":)";
    std::ofstream(file) << nested(100000) << "\n"
                        << call << nested(100000, "{\"a\":", "}") << "}}\n"
                        << R"({"jsonrpc":"2.0","id":7,"method":"ping"})"
                        << "\n";
    const auto ended = run({"/bin/sh", "-c", POSTRIDER_PROGRAM " mcp < " + file}, environment());
    EXPECT_EQ(ended.status, 0) << ended.output;
    EXPECT_NE(ended.output.find("nested deeper than 512"), std::string::npos) << ended.output;
    EXPECT_NE(ended.output.find(R"("id":7,"result")"), std::string::npos) << ended.output;
}

TEST_F(deep_documents_test, the_command_line_refuses_a_deep_payload) {
    const scratch_directory place;
    const auto file = (place.path() / "lines").string();
    std::ofstream(file) << R"({"event_type":"a.b","source":"s","payload":)" << nested(50000)
                        << "}\n";
    const auto many =
        run({"/bin/sh", "-c", POSTRIDER_PROGRAM " publish --many " + file}, environment());
    EXPECT_NE(many.status, 0);
    EXPECT_LT(many.status, 128) << many.output;
    EXPECT_NE(many.output.find("512"), std::string::npos) << many.output;
    EXPECT_EQ(value("select count(*) from postrider.message"), "0");
}

TEST_F(deep_documents_test, the_library_refuses_a_deep_payload_before_the_server_sees_it) {
    connection own(database_.conninfo());
    transaction work(own);
    for (const auto& text : {nested(json_depth_max + 1), nested(1000000)}) {
        message made{.event_type = "a.b", .payload = text, .source = "s"};
        EXPECT_THROW(publish(work, made), usage_error);
        made.payload = "{}";
        made.headers = "{\"a\":" + text + "}";
        EXPECT_THROW(publish(work, made), usage_error);
    }
    publish(work, {.event_type = "a.b", .payload = nested(json_depth_max), .source = "s"});
    work.commit();
    EXPECT_EQ(value("select count(*) from postrider.message"), "1");
}

TEST_F(deep_documents_test, a_handler_that_decodes_a_deep_payload_gets_an_error) {
    using codec = payload_codec<nlohmann::json>;
    EXPECT_NO_THROW(codec::decode(nested(json_depth_max)));
    EXPECT_THROW(codec::decode(nested(json_depth_max + 1)), std::length_error);
    EXPECT_THROW(codec::decode(nested(100000, "{\"a\":", "}")), std::length_error);
}

}  // namespace
}  // namespace postrider::test
