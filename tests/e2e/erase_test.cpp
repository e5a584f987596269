#include "e2e/operating_fixture.hpp"

namespace postrider::test {
namespace {

/// `consumers seek` and `erase`.
class erase_test : public operating_fixture {
  protected:
    std::string publish(const std::string& payload) {
        return value("select postrider.publish('user.changed', $1::jsonb)", {payload});
    }
    std::string claimed() {
        return value(
            "select coalesce(string_agg(payload ->> 'n', ','), '') from postrider.claim($1)",
            {worker});
    }
};

TEST_F(erase_test, a_subject_is_erased_after_a_dry_run_and_the_audit_has_no_content) {
    publish(R"({"n": 1, "user": {"id": 42, "mail": "jane@example.com"}})");
    publish(R"({"n": 2, "user": {"id": 43}})");
    const auto dry = postrider_.run({"erase", "--payload", "$.user.id=42", "--dry-run"});
    EXPECT_EQ(dry.output,
              "would erase 1 message and 0 delivery records; 1 job waited or ran; nothing was "
              "changed\n");
    EXPECT_NE(value("select count(*) from postrider.message where payload::text like '%jane%'"),
              "0");
    const auto done = postrider_.run({"erase", "--payload", "$.user.mail=jane@example.com", "--yes",
                                      "--reason", "request 1234", "--json"});
    EXPECT_EQ(done.output, "{\"dry_run\":false,\"messages\":1,\"deliveries\":0,\"jobs\":1}\n");
    EXPECT_EQ(claimed(), "2");
    EXPECT_EQ(value("select count(*) from postrider.message where payload::text like '%jane%'"),
              "0");
    EXPECT_EQ(value("select actor || ' ' || reason || ' ' || (filter -> 'by') from postrider.audits"
                    " where action = 'erase' and audit::text || filter::text not like '%jane%'")
                      .find("request 1234 [\"payload\"]") != std::string::npos,
              true);
}

TEST_F(erase_test, mistakes_are_named) {
    EXPECT_EQ(postrider_.run({"erase", "--payload", "user", "--dry-run"}).status, 64);
    EXPECT_EQ(postrider_.run({"erase", "--dry-run"}).status, 64);
    EXPECT_EQ(postrider_.run({"erase", "--ordering-key", "k", "--yes"}).status, 64);
    EXPECT_EQ(postrider_.run({"consumers", "seek", "billing", "--reason", "x", "--yes"}).status,
              64);
    EXPECT_EQ(
        postrider_.run({"consumers", "seek", "nowhere", "--now", "--reason", "x", "--yes"}).status,
        66);
}

TEST_F(erase_test, a_consumer_is_moved_after_a_dry_run) {
    publish(R"({"n": 1})");
    publish(R"({"n": 2})");
    const auto dry = postrider_.run({"consumers", "seek", "billing", "--now", "--dry-run"});
    EXPECT_EQ(dry.output,
              "billing on outbox_default skips 2 messages (0 of them wait) and hands out 0 "
              "messages again; nothing was changed\n");
    EXPECT_EQ(
        postrider_
            .run({"consumers", "seek", "billing", "--now", "--yes", "--reason", "old", "--json"})
            .output,
        "{\"consumer\":\"billing\",\"channel\":\"outbox_default\",\"dry_run\":false,"
        "\"skipped\":2,\"waiting\":0,\"again\":0}\n");
    EXPECT_EQ(claimed(), "");
    EXPECT_EQ(
        postrider_
            .run({"consumers", "seek", "billing", "--to", "1h", "--yes", "--reason", "after all"})
            .status,
        0);
    EXPECT_EQ(claimed(), "1,2");
}

}  // namespace
}  // namespace postrider::test
