#include "client/publish/check_message.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <postrider/error.hpp>

namespace postrider::client {
namespace {

using namespace std::string_literals;

message valid() { return {.event_type = "order.placed", .payload = R"({"order": 42})"}; }

// The code of the refusal, whose text must name the field.
errc refusal(std::string_view field, const std::function<void(message&)>& spoil) {
    auto input = valid();
    spoil(input);
    try {
        check_message(input, "publish");
    } catch (const usage_error& problem) {
        EXPECT_NE(std::string_view(problem.what()).find(field), std::string_view::npos)
            << problem.what();
        EXPECT_EQ(problem.operation(), "publish");
        return problem.code();
    }
    ADD_FAILURE() << field << " was accepted";
    return {};
}

TEST(check_message, a_message_with_everything_at_its_limit_is_fine) {
    const std::string longest(255, 'x');
    check_message({.event_type = longest,
                   .payload = "\"" + std::string(1'048'574, 'x') + "\"",
                   .source = longest,
                   .target = longest,
                   .id = "0190163D-8694-739b-aea5-966c26f8ad91",
                   .workspace_id = "0190163d-8694-739b-aea5-966c26f8ad91",
                   .idempotency_key = longest,
                   .ordering_key = longest,
                   .partition_key = longest,
                   .headers = "{}",
                   .metadata = " {\"a\": null}",
                   .trace_context = longest,
                   .content_class = longest,
                   .channel = std::string(63, 'c'),
                   .priority = -100,
                   .max_attempts = 1000},
                  "publish");
}

TEST(check_message, missing_or_empty_fields_are_refused) {
    EXPECT_EQ(refusal("event_type", [](auto& m) { m.event_type = ""; }), errc::invalid_argument);
    EXPECT_EQ(refusal("target", [](auto& m) { m.target = ""; }), errc::invalid_argument);
    EXPECT_EQ(refusal("idempotency_key", [](auto& m) { m.idempotency_key = ""; }),
              errc::invalid_argument);
    EXPECT_EQ(refusal("payload", [](auto& m) { m.payload = ""; }), errc::invalid_argument);
}

TEST(check_message, limits_count_bytes) {
    const std::string longer(256, 'x');
    EXPECT_EQ(refusal("event_type", [&](auto& m) { m.event_type = longer; }), errc::too_large);
    EXPECT_EQ(refusal("source", [&](auto& m) { m.source = longer; }), errc::too_large);
    EXPECT_EQ(refusal("target", [&](auto& m) { m.target = longer; }), errc::too_large);
    EXPECT_EQ(refusal("idempotency_key", [&](auto& m) { m.idempotency_key = longer; }),
              errc::too_large);
    EXPECT_EQ(refusal("ordering_key", [&](auto& m) { m.ordering_key = longer; }), errc::too_large);
    EXPECT_EQ(refusal("partition_key", [&](auto& m) { m.partition_key = longer; }),
              errc::too_large);
    EXPECT_EQ(refusal("trace_context", [&](auto& m) { m.trace_context = longer; }),
              errc::too_large);
    EXPECT_EQ(refusal("content_class", [&](auto& m) { m.content_class = longer; }),
              errc::too_large);
    EXPECT_EQ(refusal("channel", [](auto& m) { m.channel = std::string(64, 'c'); }),
              errc::too_large);
    EXPECT_EQ(
        refusal("payload", [](auto& m) { m.payload = "\"" + std::string(1'048'575, 'x') + "\""; }),
        errc::too_large);
    const auto document = "{\"a\": \"" + std::string(65'536, 'x') + "\"}";
    EXPECT_EQ(refusal("headers", [&](auto& m) { m.headers = document; }), errc::too_large);
    EXPECT_EQ(refusal("metadata", [&](auto& m) { m.metadata = document; }), errc::too_large);
}

TEST(check_message, texts_are_utf8_without_zero_bytes) {
    EXPECT_EQ(refusal("event_type", [](auto& m) { m.event_type = "a\xff"; }),
              errc::invalid_argument);
    EXPECT_EQ(refusal("source", [](auto& m) { m.source = "a\0b"s; }), errc::invalid_argument);
    EXPECT_EQ(refusal("ordering_key", [](auto& m) { m.ordering_key = "\xc3"; }),
              errc::invalid_argument);
    EXPECT_EQ(refusal("payload", [](auto& m) { m.payload = "\"\xff\""; }), errc::invalid_argument);
}

TEST(check_message, documents_are_json_and_headers_are_objects) {
    EXPECT_EQ(refusal("payload", [](auto& m) { m.payload = "{order: 42}"; }),
              errc::invalid_argument);
    EXPECT_EQ(refusal("payload", [](auto& m) { m.payload = R"("\u0000")"; }),
              errc::invalid_argument);
    EXPECT_EQ(refusal("headers", [](auto& m) { m.headers = "[]"; }), errc::invalid_argument);
    EXPECT_EQ(refusal("metadata", [](auto& m) { m.metadata = "null"; }), errc::invalid_argument);
}

TEST(check_message, numbers_and_ids_are_checked) {
    EXPECT_EQ(refusal("priority", [](auto& m) { m.priority = 101; }), errc::invalid_argument);
    EXPECT_EQ(refusal("priority", [](auto& m) { m.priority = -101; }), errc::invalid_argument);
    EXPECT_EQ(refusal("max_attempts", [](auto& m) { m.max_attempts = 0; }), errc::invalid_argument);
    EXPECT_EQ(refusal("max_attempts", [](auto& m) { m.max_attempts = 1001; }),
              errc::invalid_argument);
    EXPECT_EQ(refusal("id", [](auto& m) { m.id = "42"; }), errc::invalid_argument);
    EXPECT_EQ(refusal("workspace_id", [](auto& m) { m.workspace_id = ""; }),
              errc::invalid_argument);
}

TEST(check_message, one_of_many_is_named_by_its_number) {
    try {
        check_message({}, "publish_many", 3);
        FAIL() << "accepted";
    } catch (const usage_error& problem) {
        EXPECT_STREQ(problem.what(), "publish_many: message 3: event_type is missing");
    }
}

}  // namespace
}  // namespace postrider::client
