// Malicious requests: no route answers them with a server error, and the server goes on serving.
#include "serve/routes/call.hpp"
#include "serve/serve_fixture.hpp"

namespace postrider::test {
namespace {

class hostile_test : public serve_fixture {
  protected:
    static std::vector<std::string> texts() {
        return {"'; drop table postrider.message; --",
                "../../etc/passwd",
                "%2e%2e%2f",
                "{}",
                "-1",
                "99999999999999999999999",
                "1e999",
                "\x1b[2J",
                "\xff\xfe",
                std::string("a\0b", 3),
                "\xe2\x80\xae",
                "<script>alert(1)</script>",
                "00000000-0000-0000-0000-000000000000",
                std::string(2000, 'x')};
    }
    static std::string encoded(const std::string& text) {
        static constexpr char digits[] = "0123456789ABCDEF";
        std::string made;
        for (const char c : text) {
            made += '%';
            made += digits[static_cast<unsigned char>(c) >> 4U];
            made += digits[static_cast<unsigned char>(c) & 15U];
        }
        return made;
    }
    // The path of a route with this in all of its places.
    static std::string path_of(const serve::route& endpoint, const std::string& text) {
        std::string path;
        bool inside = false;
        for (const char c : endpoint.path) {
            if (c == '{') {
                path += encoded(text);
                inside = true;
            } else if (c == '}') {
                inside = false;
            } else if (!inside) {
                path += c;
            }
        }
        return path;
    }
    void expect_refusal_or_answer(const reply& answer, const std::string& asked) const {
        EXPECT_NE(answer.status, 0) << asked << ": no answer";
        EXPECT_LT(answer.status, 500) << asked << "\n" << answer.text.substr(0, 300);
        if (answer.status >= 400 && !answer.text.empty()) {
            EXPECT_EQ(answer.header("Content-Type").find("text/html"), std::string::npos) << asked;
        }
    }
    bool is_alive() const { return get("/healthz", "").status == 200; }
};

TEST_F(hostile_test, no_path_and_no_parameter_is_an_error_of_the_server) {
    seed();
    start();
    for (const auto& endpoint : serve::routes(options())) {
        if (endpoint.method != "GET" || endpoint.stream) {
            continue;
        }
        for (const auto& text : texts()) {
            if (endpoint.path.find('{') != std::string::npos) {
                const auto path = path_of(endpoint, text);
                expect_refusal_or_answer(get(path), path.substr(0, 200));
            }
        }
        auto parameters = endpoint.queries;
        parameters.insert(parameters.end(), {"limit", "after"});
        for (const auto& name : parameters) {
            for (const auto& text : texts()) {
                const auto path = path_of(endpoint, "1") + "?" + name + "=" + encoded(text);
                expect_refusal_or_answer(get(path), path.substr(0, 200));
            }
        }
    }
    EXPECT_TRUE(is_alive());
    EXPECT_EQ(value("select count(*) > 0 from postrider.message"), "t");
}

TEST_F(hostile_test, no_body_is_an_error_of_the_server) {
    seed();
    start();
    const auto dead = value("select count(*) from postrider.dead_letters");
    const std::string deep = std::string(20000, '[') + std::string(20000, ']');
    for (const auto& endpoint : serve::routes(options())) {
        if (endpoint.method == "GET") {
            continue;
        }
        const auto path = path_of(endpoint, "1");
        for (const auto& body :
             {std::string(), std::string("null"), std::string("[]"), std::string("{"), deep,
              R"({"filter": )" + deep + R"(, "reason": "x"})",
              std::string(R"({"filter": {"ids": "x"}, "reason": 7})"),
              std::string(R"({"filter": {"deliveries": [1e999]}, "reason": "x"})"),
              std::string(R"({"filter": {"deliveries": ["'; drop table x"]}, "reason": "x"})"),
              std::string(R"({"filter": {"event_type": {"a": 1}}, "reason": "x"})"),
              std::string(R"({"filter": {"since": "never"}, "reason": "x"})"),
              std::string("{\"reason\": \"\xff\xfe\"}"),
              std::string(R"({"reason": "a\u0000b", "filter": {"error": "a\u0000b"}})"),
              std::string(R"({"reason": "x", "paused": "maybe", "rate": -1, "canary": 1e300})")}) {
            auto sent = bearer("prt_admin");
            sent.emplace("x-postrider", "1");
            const auto answer =
                endpoint.method == "POST"
                    ? reply_of(client().Post(path, sent, body, "application/json"))
                : endpoint.method == "PUT"
                    ? reply_of(client().Put(path, sent, body, "application/json"))
                    : reply_of(client().Delete(path, sent, body, "application/json"));
            expect_refusal_or_answer(answer,
                                     endpoint.method + " " + path + " " + body.substr(0, 100));
        }
    }
    EXPECT_TRUE(is_alive());
    EXPECT_EQ(value("select count(*) from postrider.dead_letters"), dead);
}

}  // namespace
}  // namespace postrider::test
