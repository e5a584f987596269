#include <gtest/gtest.h>

#include <future>
#include <postrider/adapters/pqxx.hpp>
#include <postrider/postrider.hpp>

#include "pg/connection.hpp"
#include "support/test_database.hpp"

namespace postrider {
namespace {

using namespace std::chrono_literals;
using test::test_database;

class publish_unique_test : public ::testing::Test {
  protected:
    publish_unique_test() {
        session.exec(
            "select postrider.register_worker(gen_random_uuid(), 'search',"
            " '[{\"name\": \"search.index\", \"event_types\": [\"page.*\"]}]')");
    }
    static message job(const std::string& payload = "{}") {
        return {.event_type = "page.edited", .payload = payload, .target = "search"};
    }
    std::string value(const std::string& sql) { return std::string(session.exec(sql).text(0, 0)); }
    std::string held() {
        return value(
            "select string_agg(key || ' ' || scope, ', ' order by key)"
            " from postrider.unique_keys");
    }

    test_database database;
    pg::connection session{database.conninfo()};
};

TEST_F(publish_unique_test, a_duplicate_is_not_published_and_names_the_job_that_holds_the_key) {
    const auto first = publish_unique(session.raw(), job(), {.key = "42"});
    EXPECT_FALSE(first.duplicate);
    const auto second = publish_unique(session.raw(), job(), {.key = "42"});
    EXPECT_TRUE(second.duplicate);
    EXPECT_EQ(second.id, first.id);
    EXPECT_FALSE(publish_unique(session.raw(), job(), {.key = "43"}).duplicate);
    EXPECT_EQ(value("select count(*) from postrider.message"), "2");
}

TEST_F(publish_unique_test, the_envelope_is_that_of_publish_for_every_executor) {
    const message full{.event_type = "page.edited",
                       .payload = R"({"n":1})",
                       .source = "cms",
                       .target = "search",
                       .id = "01890000-0000-7000-8000-000000000001",
                       .event_version = 3,
                       .occurred_at = std::chrono::system_clock::time_point(1'700'000'000s),
                       .workspace_id = "01890000-0000-7000-8000-000000000002",
                       .idempotency_key = "i",
                       .ordering_key = "o",
                       .partition_key = "p",
                       .headers = R"({"h": "1"})",
                       .metadata = R"({"m": 2})",
                       .trace_context = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                       .content_class = "c",
                       .available_at = std::chrono::system_clock::time_point(1'800'000'000s),
                       .priority = -7,
                       .max_attempts = 9};
    pqxx::connection other(database.conninfo());
    pqxx::work work(other);
    pqxx_executor within(work);
    publish(within, full);
    const auto job = publish_unique(within, full, {.key = "k", .scope = unique_scope::serial});
    work.commit();
    EXPECT_EQ(job.id, full.id);
    EXPECT_EQ(value("select count(*) from (select distinct to_jsonb(m) - '{seq,published_at,"
                    "unique_key,unique_scope}'::text[] from postrider.message m) x"),
              "1");
    EXPECT_EQ(value("select unique_key || ' ' || unique_scope from postrider.message"
                    " where unique_key is not null"),
              "k serial");
}

TEST_F(publish_unique_test, every_scope_is_known) {
    publish_unique(session.raw(), job(), {.key = "a", .scope = unique_scope::until_started});
    publish_unique(session.raw(), job(), {.key = "b", .scope = unique_scope::until_finished});
    publish_unique(session.raw(), job(),
                   {.key = "c", .scope = unique_scope::period, .period = 90s});
    publish_unique(session.raw(), job(), {.key = "d", .scope = unique_scope::serial});
    EXPECT_EQ(held(), "a until_started, b until_finished, c period, d serial");
    EXPECT_EQ(value("select round(extract(epoch from expires_at - taken_at)) from"
                    " postrider.unique_keys where key = 'c'"),
              "90");
}

TEST_F(publish_unique_test,
       an_open_transaction_with_the_key_is_waited_for_and_a_rollback_frees_it) {
    session.exec("begin");
    publish_unique(session.raw(), job(), {.key = "42"});
    auto waiting = std::async(std::launch::async, [&] {
        pg::connection other(database.conninfo());
        return publish_unique(other.raw(), job(), {.key = "42"});
    });
    pg::connection observer(database.conninfo());
    while (observer.exec("select count(*) from pg_locks where not granted").text(0, 0) == "0") {
    }
    session.exec("rollback");
    EXPECT_FALSE(waiting.get().duplicate);
}

TEST_F(publish_unique_test, a_wait_that_is_too_long_is_a_retryable_error_with_a_remedy) {
    session.exec("update postrider.setting set value = '10 ms' where name = 'unique_wait'");
    session.exec("begin");
    publish_unique(session.raw(), job(), {.key = "42"});
    pg::connection other(database.conninfo());
    try {
        publish_unique(other.raw(), job(), {.key = "42"});
        FAIL();
    } catch (const error& problem) {
        EXPECT_TRUE(problem.retryable());
        EXPECT_EQ(problem.sqlstate(), "55P03");
        EXPECT_NE(std::string(problem.what()).find("unique_wait"), std::string::npos)
            << problem.what();
    }
}

TEST_F(publish_unique_test, mistakes_are_found_before_the_server_sees_them) {
    const auto code = [&](const message& input, const unique_key& unique) {
        try {
            publish_unique(session.raw(), input, unique);
        } catch (const usage_error& problem) {
            EXPECT_EQ(problem.sqlstate(), "");
            return problem.code();
        }
        return errc::database_error;
    };
    EXPECT_EQ(code({.event_type = "page.edited"}, {.key = "k"}), errc::invalid_argument);
    EXPECT_EQ(code(job(), {}), errc::invalid_argument);
    EXPECT_EQ(code(job(), {.key = std::string(256, 'k')}), errc::too_large);
    EXPECT_EQ(code(job(), {.key = "\xff"}), errc::invalid_argument);
    EXPECT_EQ(code(job(), {.key = "k", .scope = unique_scope::period}), errc::invalid_argument);
    EXPECT_EQ(code(job(), {.key = "k", .period = 1s}), errc::invalid_argument);
    EXPECT_EQ(code({.target = "search"}, {.key = "k"}), errc::invalid_argument);
}

}  // namespace
}  // namespace postrider
