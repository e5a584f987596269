// Producers of a broker are not trusted: a malformed message may fail, and no other message with
// it.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <map>
#include <vector>

#include "base/json/check_json.hpp"
#include "client/received_event.hpp"

namespace postrider::test {
namespace {

using headers = std::map<std::string, std::string>;

received_message read(const headers& values, std::string_view body, client::binding how) {
    // Of its own size, so that a sanitizer sees a byte that is read behind it.
    const std::vector<char> exact(body.begin(), body.end());
    received_message otherwise;
    otherwise.id = "17";
    otherwise.event_type = "subject";
    return client::read_event(
        otherwise,
        [&](const std::string& name) -> std::optional<std::string> {
            const auto found = values.find(name);
            return found == values.end() ? std::nullopt : std::optional(found->second);
        },
        std::string(exact.data(), exact.size()), how);
}

TEST(broker_messages, a_structured_event_that_is_no_json_is_a_message_like_any_other) {
    const std::string whole =
        R"({"specversion":"1.0","id":"a\u00e4","type":"\ud83d\ude00","cycle":3,"data":["\\"]})";
    const headers structured{{"content-type", "application/cloudevents+json"}};
    for (const auto how : {client::binding::http, client::binding::kafka}) {
        EXPECT_EQ(read(structured, whole, how).id, "aä");
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const auto made = read(structured, whole.substr(0, size), how);
            EXPECT_EQ(made.id, "17") << size;
            EXPECT_EQ(check_json(made.payload).problem, nullptr) << size;
        }
        for (const auto* body :
             {R"({"id":"\ud800"})", R"({"id":"\ud800\u0041"})", R"({"id":"\u00"})",
              R"({"id":"\u0000"})", R"({"id)", R"({"id":"\)", "{\"id\":\"\xff\"}", R"({"id":5,)",
              R"({"data":)", R"({)", R"({"a":[[)"}) {
            const auto made = read(structured, body, how);
            EXPECT_EQ(made.id, "17") << body;
            EXPECT_TRUE(made.payload.starts_with(R"({"data_base64":)")) << body;
        }
    }
}

TEST(broker_messages, millions_of_members_of_a_structured_event_take_no_memory) {
    std::string body = R"({"id":"a")";
    while (body.size() < 32U << 20) {
        body += R"(,"":0,"id":"b")";
    }
    body += '}';
    const auto peak = [] {
        rusage used{};
        ::getrusage(RUSAGE_SELF, &used);
        return used.ru_maxrss;
    };
    received_message otherwise;
    const auto before = peak();
    const auto made = client::read_event(
        otherwise,
        [](const std::string& name) {
            return name == "content-type"
                       ? std::optional<std::string>("application/cloudevents+json")
                       : std::nullopt;
        },
        std::move(body), client::binding::kafka);
    EXPECT_EQ(made.id, "a") << "the first of its name";
    EXPECT_LT(peak() - before, 20'000) << "kB";
}

TEST(broker_messages, headers_of_a_message_are_an_object_or_left_out) {
    for (const auto* text : {"null", "5", "[]", "\"a\"", "{", R"({"a":"\u0000"})", ""}) {
        const auto made = read({{"postrider-headers", text}}, "{}", client::binding::kafka);
        EXPECT_FALSE(made.headers) << text;
    }
    EXPECT_EQ(read({{"postrider-headers", R"({"a":1})"}}, "{}", client::binding::kafka).headers,
              R"({"a":1})");
}

}  // namespace
}  // namespace postrider::test
