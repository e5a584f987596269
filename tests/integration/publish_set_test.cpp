#include <gtest/gtest.h>

#include <postrider/adapters/pqxx.hpp>
#include <postrider/postrider.hpp>
#include <pqxx/pqxx>

#include "pg/connection.hpp"
#include "support/test_database.hpp"

namespace postrider {
namespace {

using test::test_database;

class publish_set_test : public ::testing::Test {
  protected:
    publish_set_test() {
        session.exec(
            "select postrider.register_worker(gen_random_uuid(), 'import',"
            " '[{\"name\": \"import.row\", \"event_types\": [\"row.*\"]}]')");
    }
    static std::vector<message> rows(int count) {
        std::vector<message> made;
        for (int n = 1; n <= count; ++n) {
            made.push_back(
                {.event_type = "row.read", .payload = std::to_string(n), .target = "import"});
        }
        return made;
    }
    std::string value(const std::string& sql) { return std::string(session.exec(sql).text(0, 0)); }

    const job_set set{.name = "import:42",
                      .completed = {.event_type = "import.done", .payload = R"({"id": 42})"},
                      .dead = dead_member::blocks};
    test_database database;
    pg::connection session{database.conninfo()};
};

TEST_F(publish_set_test, members_and_message_are_those_that_were_given) {
    const auto ids = publish_set(session.raw(), set, rows(3));
    ASSERT_EQ(ids.size(), 3U);
    EXPECT_EQ(value("select string_agg(id::text, ',' order by seq) from postrider.message"),
              ids[0] + "," + ids[1] + "," + ids[2]);
    EXPECT_EQ(value("select concat_ws(' ', name, open, dead, event_type, message -> 'payload')"
                    " from postrider.job_sets"),
              R"(import:42 3 blocks import.done {"id": 42})");
}

TEST_F(publish_set_test, a_large_set_is_sent_in_parts_by_every_executor) {
    {
        connection owned(database.conninfo());
        transaction work(owned);
        EXPECT_EQ(publish_set(work, set, rows(2500)).size(), 2500U);
        work.commit();
    }
    EXPECT_EQ(value("select open from postrider.job_sets"), "2500");
    pqxx::connection other(database.conninfo());
    pqxx::work work(other);
    pqxx_executor within(work);
    auto second = set;
    second.name = "import:43";
    publish_set(within, second, rows(1001));
    work.commit();
    EXPECT_EQ(value("select open from postrider.job_sets where name = 'import:43'"), "1001");
}

TEST_F(publish_set_test, a_rollback_leaves_nothing) {
    connection owned(database.conninfo());
    {
        transaction work(owned);
        publish_set(work, set, rows(3));
    }
    EXPECT_EQ(value("select count(*) from postrider.job_sets"), "0");
    EXPECT_EQ(value("select count(*) from postrider.set_member"), "0");
}

TEST_F(publish_set_test, mistakes_are_named_before_the_server_sees_them) {
    EXPECT_THROW(publish_set(session.raw(), set, {}), usage_error);
    auto members = rows(2);
    members[1].target.reset();
    EXPECT_THROW(publish_set(session.raw(), set, members), usage_error);
    auto with_id = set;
    with_id.completed.id = new_id();
    EXPECT_THROW(publish_set(session.raw(), with_id, rows(1)), usage_error);
    publish_set(session.raw(), set, rows(1));
    EXPECT_THROW(publish_set(session.raw(), set, rows(1)), error);
}

}  // namespace
}  // namespace postrider
