#include "cli/stay/protocol.hpp"

#include <gtest/gtest.h>

namespace postrider::test {
namespace {

using cli::protocol_error;
using cli::read_child_line;

TEST(child_protocol, outcomes_are_read_alone_and_in_batches) {
    const auto one =
        read_child_line(R"({"type":"outcome","run":7,"outcome":"delivered","new":[1]})");
    ASSERT_EQ(one.outcomes.size(), 1U);
    EXPECT_EQ(one.outcomes[0].run, 7U);
    const auto several = read_child_line(
        R"( {"outcomes": [{"run":1,"outcome":"delivered"}, {"run":2,"outcome":"terminal","error":"\u00e9"}],
             "type":"outcomes"} )");
    ASSERT_EQ(several.outcomes.size(), 2U);
    EXPECT_EQ(several.outcomes[1].how.error, "é");
    EXPECT_EQ(several.outcomes[1].how.error_class, "terminal");
}

TEST(child_protocol, progress_and_results_are_read) {
    const auto line =
        read_child_line(R"({"type":"progress","run":3,"fraction":0.5,"text":"half"})");
    ASSERT_TRUE(line.progress);
    EXPECT_EQ(line.progress->run, 3U);
    EXPECT_EQ(line.progress->fraction, 0.5);
    EXPECT_EQ(line.progress->text, "half");
    EXPECT_EQ(
        read_child_line(R"({"type":"outcome","run":1,"outcome":"delivered","result":{"n":[1]}})")
            .outcomes[0]
            .result,
        R"({"n":[1]})");
    for (const auto* bad : {"2", "-1", "\"1\"", "null"}) {
        EXPECT_THROW(
            read_child_line(R"({"type":"progress","run":3,"fraction":)" + std::string(bad) + "}"),
            protocol_error);
    }
}

TEST(child_protocol, a_result_that_is_too_large_fails_its_run_only) {
    const auto line = read_child_line(
        R"({"type":"outcomes","outcomes":[{"run":1,"outcome":"delivered","result":")" +
        std::string(20'000, 'x') + R"("},{"run":2,"outcome":"delivered","result":1}]})");
    ASSERT_EQ(line.outcomes.size(), 2U);
    EXPECT_EQ(line.outcomes[0].how.kind, outcome_kind::transient);
    EXPECT_EQ(line.outcomes[0].how.error_class, "protocol_error");
    EXPECT_FALSE(line.outcomes[0].result);
    EXPECT_TRUE(line.outcomes[1].how.ok());
    EXPECT_EQ(line.outcomes[1].result, "1");
}

TEST(child_protocol, a_hello_has_limits) {
    const auto line = read_child_line(R"({"type":"hello","protocol":1,"concurrency":16})");
    ASSERT_TRUE(line.hello);
    EXPECT_EQ(line.hello->concurrency, 16);
    EXPECT_THROW(read_child_line(R"({"type":"hello"})"), protocol_error);
    EXPECT_THROW(read_child_line(R"({"type":"hello","protocol":1,"concurrency":0})"),
                 protocol_error);
    EXPECT_THROW(read_child_line(R"({"type":"hello","protocol":1,"concurrency":99999999})"),
                 protocol_error);
}

TEST(child_protocol, anything_else_is_refused) {
    for (const auto* line :
         {"", "x", "[]", "{}", R"({"type":1})", R"({"type":"outcome"})",
          R"({"type":"outcome","run":"1","outcome":"delivered"})",
          R"({"type":"outcome","run":-1,"outcome":"delivered"})",
          R"({"type":"outcome","run":99999999999999999999,"outcome":"delivered"})",
          R"({"type":"outcome","run":1})", R"({"type":"outcome","run":1,"outcome":"snooze"})",
          R"({"type":"outcome","run":1,"outcome":"transient","error":5})",
          R"({"type":"outcomes","outcomes":5})", R"({"type":"outcomes","outcomes":[5]})",
          R"({"type":"extend"})", R"({"type":"outcome","run":1,"outcome":"delivered"}x)"}) {
        EXPECT_THROW(read_child_line(line), protocol_error) << line;
    }
}

TEST(child_protocol, a_message_is_one_line) {
    event_fields fields;
    fields.event_type = "order.placed";
    fields.source = "shop";
    fields.payload = "{\n  \"order\": 42\r\n}";
    fields.headers = "{\n}";
    const auto text = cli::message_text(event(fields), context({.attempts = 2, .cycle = 3}));
    const auto line = cli::messages_line(cli::with_run(12, text));
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_EQ(line.rfind(R"({"type":"messages","messages":[{"run":12,"message_id":")", 0), 0U);
    EXPECT_NE(line.find(R"("attempts":2,"cycle":3)"), std::string::npos);
    EXPECT_NE(line.find("\"payload\":{   \"order\": 42  }"), std::string::npos);
}

TEST(child_protocol, texts_of_an_outcome_are_cut_to_the_length_that_the_database_keeps) {
    const auto line = read_child_line(
        R"({"type":"outcome","run":1,"outcome":"terminal","error":")" + std::string(100'000, 'e') +
        R"(","error_class":")" + std::string(1'000, 'c') + "\"}");
    EXPECT_LE(line.outcomes.at(0).how.error.size(), 8192U);
    EXPECT_LE(line.outcomes.at(0).how.error_class.size(), 255U);
}

}  // namespace
}  // namespace postrider::test
