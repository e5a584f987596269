#include <gtest/gtest.h>

#include <postrider/adapters/pqxx.hpp>
#include <postrider/postrider.hpp>
#include <pqxx/pqxx>

#include "pg/connection.hpp"
#include "support/test_database.hpp"

namespace postrider {
namespace {

using test::test_database;

class cancel_test : public ::testing::Test {
  protected:
    cancel_test() {
        session.exec(
            "select postrider.register_worker('6f0c1f5e-3b0a-4a53-9a57-0b8a1f1f0001', 'exports',"
            " '[{\"name\": \"exports.make\", \"event_types\": [\"*\"]}]')");
    }
    std::string value(const std::string& sql) { return std::string(session.exec(sql).text(0, 0)); }
    std::string left() {
        return value(
            "select coalesce(string_agg(payload ->> 'n', ',' order by seq), '')"
            " from postrider.claim('6f0c1f5e-3b0a-4a53-9a57-0b8a1f1f0001', 100)");
    }
    std::string job(const std::string& type, int n) {
        return publish(session.raw(), {.event_type = type,
                                       .payload = R"({"n": )" + std::to_string(n) + "}",
                                       .target = "exports"});
    }

    const audit_note why{"jane", "not wanted"};
    test_database database;
    pg::connection session{database.conninfo()};
};

TEST_F(cancel_test, jobs_are_cancelled_by_id_key_and_filter_within_any_transaction) {
    const auto first = job("export.csv", 1);
    job("export.pdf", 2);
    job("export.csv", 3);
    job("export.pdf", 4);
    publish_unique(session.raw(), {.event_type = "export.csv", .target = "exports"},
                   {.key = "export:7"});
    connection owned(database.conninfo());
    {
        transaction work(owned);
        EXPECT_EQ(cancel(work, {.ids = {first}}, why), 1);
        EXPECT_EQ(cancel(work, {.unique_key = "export:7", .consumer = "exports"}, why), 1);
        work.commit();
    }
    pqxx::connection other(database.conninfo());
    pqxx::work work(other);
    pqxx_executor within(work);
    EXPECT_EQ(cancel(within, {.consumer = "exports", .event_type = "export.pdf"}, why), 2);
    work.commit();
    EXPECT_EQ(left(), "3");
    EXPECT_EQ(value("select count(*) from postrider.unique_keys"), "0");
    EXPECT_EQ(value("select string_agg(distinct actor || ': ' || reason, ',') from postrider.audits"
                    " where action = 'cancel'"),
              "jane: not wanted");
}

TEST_F(cancel_test, a_rollback_undoes_it) {
    job("export.csv", 1);
    connection owned(database.conninfo());
    {
        transaction work(owned);
        EXPECT_EQ(cancel(work, {.consumer = "exports"}, why), 1);
    }
    EXPECT_EQ(left(), "1");
}

TEST_F(cancel_test, a_request_without_a_job_or_a_reason_is_refused) {
    connection owned(database.conninfo());
    const auto code = [&](const job_filter& which, const audit_note& note) {
        transaction work(owned);
        try {
            cancel(work, which, note);
        } catch (const error& problem) {
            return problem.code();
        }
        return errc{};
    };
    EXPECT_EQ(code({}, why), errc::invalid_argument);
    EXPECT_EQ(code({.channel = "outbox_default"}, why), errc::invalid_argument);
    EXPECT_EQ(code({.ids = {"7"}}, why), errc::invalid_argument);
    EXPECT_EQ(code({.consumer = std::string("a\0b", 3)}, why), errc::invalid_argument);
    EXPECT_EQ(code({.consumer = "exports"}, {"jane", ""}), errc::invalid_argument);
    EXPECT_EQ(code({.ids = {"0190a0b4-0000-7000-8000-000000000042"}}, why),
              errc::message_not_found);
}

}  // namespace
}  // namespace postrider
