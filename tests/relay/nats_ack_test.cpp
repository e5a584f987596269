#include <gtest/gtest.h>

#include "relay/nats/ack_box.hpp"

namespace postrider::test {
namespace {

TEST(nats_acknowledgement, only_a_stored_message_is_delivered) {
    EXPECT_TRUE(relaying::nats_outcome(R"({"stream":"S","seq":7})").ok());
    EXPECT_TRUE(relaying::nats_outcome(R"({"stream":"S","seq":7,"duplicate":true})").ok());
    EXPECT_EQ(relaying::nats_outcome(R"({"stream":"S","seq":0,"duplicate":true})").error_class,
              "relay_not_stored");
    EXPECT_EQ(relaying::nats_outcome("+ACK").error_class, "relay_no_stream");
    EXPECT_EQ(relaying::nats_outcome("{}").error_class, "relay_no_stream");
    for (const auto* answer : {R"({"stream":null,"seq":null})", R"({"stream":"S","seq":"7"})",
                               R"({"stream":"S","seq":-1})", R"({"stream":12345,"seq":7})"}) {
        EXPECT_EQ(relaying::nats_outcome(answer).error_class, "relay_no_stream") << answer;
    }
}

TEST(nats_acknowledgement, a_stream_that_is_full_is_an_outage_and_a_full_subject_is_not) {
    const auto refusal = [](const std::string& text) {
        return relaying::nats_outcome(R"({"error":{"code":503,"err_code":10077,"description":")" +
                                      text + R"("},"stream":"S","seq":0})");
    };
    EXPECT_EQ(refusal("maximum messages exceeded").error_class, "relay_unavailable");
    EXPECT_EQ(refusal("maximum bytes exceeded").error_class, "relay_unavailable");
    const auto subject = refusal("maximum messages per subject exceeded");
    EXPECT_EQ(subject.kind, outcome_kind::transient);
    EXPECT_EQ(subject.error_class, "nats:10077");
}

TEST(nats_acknowledgement, errors_have_the_class_of_their_code) {
    const auto large = relaying::nats_outcome(
        R"({"error":{"code":400,"err_code":10054,"description":"message size exceeds maximum"}})");
    EXPECT_EQ(large.kind, outcome_kind::terminal);
    EXPECT_EQ(large.error_class, "relay_too_large");
}

TEST(nats_acknowledgement, a_late_one_of_an_earlier_batch_is_ignored) {
    relaying::ack_box box;
    const auto before = box.begin(1);
    const auto batch = box.begin(2);
    box.put(relaying::ack_box::reply_of(before, 0), delivered());
    box.put(relaying::ack_box::reply_of(batch, 1), delivered());
    const auto now = std::chrono::steady_clock::now();
    const auto found = box.wait(now, {}, [] { return false; });
    EXPECT_FALSE(found[0]);
    EXPECT_TRUE(found[1]);
}

}  // namespace
}  // namespace postrider::test
