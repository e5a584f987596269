// drain(): handles every available or due message on the calling thread.
#include <postrider/postrider.hpp>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

class draining : public worker_fixture {
  protected:
    static void nothing(const event&) {}
    void cut_sessions() {
        session.exec(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = "
            "current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'");
    }
};

TEST_F(draining, messages_of_a_dead_worker_are_drained_too) {
    worker office(options());
    office.on("*", "office.all", nothing);
    EXPECT_EQ(office.drain(), 0);
    publish("a.b");
    session.exec(
        "select postrider.register_worker('00000000-0000-0000-0000-000000000001', 'office',"
        " '[{\"name\": \"office.all\", \"event_types\": [\"*\"]}]')");
    EXPECT_EQ(value("select count(*) from"
                    " postrider.claim('00000000-0000-0000-0000-000000000001')"),
              "1");
    EXPECT_EQ(office.drain(), 0) << "another worker has it";
    session.exec(
        "update postrider.worker set alive_until = clock_timestamp() - interval '1 second'"
        " where id = '00000000-0000-0000-0000-000000000001'");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(count("delivered"), "1");
}

TEST_F(draining, a_lost_connection_is_replaced) {
    worker office(options());
    office.on("*", "office.all", nothing);
    EXPECT_EQ(office.drain(), 0);
    cut_sessions();
    EXPECT_THROW(office.drain(), connection_error);
    publish("a.b");
    EXPECT_EQ(office.drain(), 1);
}

TEST_F(draining, a_worker_that_was_drained_leaves_when_it_ends) {
    {
        worker office(options());
        office.on("*", "office.all", nothing);
        EXPECT_EQ(office.drain(), 0);
        EXPECT_EQ(value("select count(*) from postrider.worker"), "1");
    }
    EXPECT_EQ(value("select count(*) from postrider.worker"), "0");
}

TEST_F(draining, handlers_cannot_be_added_afterwards) {
    worker office(options());
    office.on("*", "office.all", nothing);
    EXPECT_EQ(office.drain(), 0);
    EXPECT_THROW(office.on("a", "office.late", nothing), usage_error);
    EXPECT_THROW(office.use([](const event&, context&, const auto& next) { return next(); }),
                 usage_error);
}

TEST_F(draining, a_worker_that_was_drained_can_be_started) {
    worker office(options());
    office.on("*", "office.all", nothing);
    EXPECT_EQ(office.drain(), 0);
    office.start();
    publish("a.b");
    ASSERT_TRUE(watching->wait_runs(1));
    EXPECT_EQ(value("select count(*) from postrider.worker"), "1");
}

}  // namespace
}  // namespace postrider::test
