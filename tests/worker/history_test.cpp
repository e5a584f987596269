// The history of runs: threads count, the coordinator adds the counts up in the database.
#include <atomic>
#include <postrider/postrider.hpp>
#include <thread>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class history : public worker_fixture {
  protected:
    std::string total(const std::string& handler, const std::string& member) {
        return value("select postrider.run_history('hour', 'office', 'outbox_default', '" +
                     handler + "') #>> '{total," + member + "}'");
    }
    std::string sum(const std::string& handler, const std::string& member) {
        return value(
            "select sum(n::int) from json_array_elements_text(postrider.run_history("
            "'hour', 'office', 'outbox_default', '" +
            handler + "') #> '{total," + member + "}') n");
    }
};

TEST_F(history, has_the_runs_of_a_worker_while_it_works) {
    worker office(options());
    std::atomic<int> runs = 0;
    office.on(
        "a.b", "office.tries",
        [&](const event&) {
            std::this_thread::sleep_for(20ms);
            if (++runs == 1) {
                throw std::runtime_error("not yet");
            }
        },
        soon());
    office.on("a.*", "office.many",
              [](const event&) -> outcome { return terminal("never", "bad_payload"); });
    office.start();
    publish("a.b");
    ASSERT_TRUE(becomes("1",
                        "select postrider.run_history('hour', 'office', 'outbox_default',"
                        " 'office.tries') #>> '{total,delivered}'"));
    EXPECT_EQ(total("office.tries", "transient"), "1");
    EXPECT_EQ(total("office.tries", "attempts"), "[1, 1]");
    EXPECT_EQ(total("office.many", "terminal"), "1");
    // A retry does not wait in the queue of the log.
    EXPECT_EQ(sum("office.tries", "queue_times"), "1");
    EXPECT_EQ(sum("office.tries", "run_times"), "2");
    const auto median = std::stod(total("office.tries", "run_ms,0"));
    EXPECT_GE(median, 15);
    EXPECT_LE(median, 500);
    EXPECT_LT(std::stod(total("office.tries", "queue_ms,0")), 10000);
    office.request_stop();
    office.wait();
}

TEST_F(history, has_everything_when_the_worker_has_left) {
    {
        worker office(options());
        office.on("*", "office.all", [](const event&) {});
        EXPECT_EQ(office.drain(), 0);
        publish("a.b");
        publish("a.c");
        EXPECT_EQ(office.drain(), 2);
    }
    EXPECT_EQ(total("office.all", "delivered"), "2");
    EXPECT_EQ(sum("office.all", "queue_times"), "2");
}

TEST_F(history, counts_each_message_of_a_batch) {
    {
        worker office(options());
        office.on("*", "office.batch", [](std::span<const event> events) {
            std::vector<outcome> all(events.size());
            all.front() = terminal("not this one");
            return all;
        });
        EXPECT_EQ(office.drain(), 0);
        session.exec("select count(postrider.publish('a.b')) from generate_series(1, 5)");
        EXPECT_EQ(office.drain(), 5);
    }
    EXPECT_EQ(total("office.batch", "terminal"), "1");
    EXPECT_EQ(total("office.batch", "delivered"), "4");
}

TEST_F(history, that_the_database_refuses_keeps_no_message_from_being_handled) {
    session.exec(
        "create or replace function postrider.record_runs(p_worker uuid, p_runs jsonb default "
        "'[]') returns"
        " timestamptz language plpgsql as $$ begin raise exception 'no room'; end $$");
    worker office(options());
    office.on("*", "office.all", [](const event&) {});
    office.start();
    publish("a.b");
    EXPECT_TRUE(becomes("1", "select count(*) from postrider.outbox where status = 'delivered'"));
    EXPECT_TRUE(watching->wait_state("history_refused"));
    office.request_stop();
    office.wait();
}

}  // namespace
}  // namespace postrider::test
