// A worker whose source is a queue of pgmq's own SQL.
#include <gmock/gmock.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "relay/pgmq/install_pgmq.hpp"
#include "support/eventually.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class worker_on_pgmq : public worker_fixture {
  protected:
    void SetUp() override {
        if (!install_pgmq(session, "orders")) {
            GTEST_SKIP() << pgmq_is_missing;
        }
    }
    worker_options on_queue(std::chrono::milliseconds redeliver_after = 30s) const {
        auto made = options();
        made.source = pgmq_source({.database = database.conninfo(),
                                   .queue = "orders",
                                   .redeliver_after = redeliver_after});
        return made;
    }
    /// They are short as jsonb, and have 131 kB each as text.
    void send_numbers(int count) {
        session.exec(
            "select pgmq.send('orders', ('[' || string_agg('1e130900', ',') || ']')::jsonb)"
            " from generate_series(1, " +
            std::to_string(count) + ")");
    }
    bool queue_is_empty() { return becomes("0", "select count(*) from pgmq.q_orders"); }
};

TEST_F(worker_on_pgmq, handled_messages_leave_the_queue_and_failed_ones_become_deliveries) {
    session.exec(
        "select pgmq.send('orders', jsonb_build_object('n', n)) from generate_series(1, 20) n");
    session.exec(
        "select pgmq.send('orders', '{\"n\": 21}', '{\"ce_specversion\": \"1.0\", \"ce_id\": \"a\","
        " \"ce_type\": \"order.placed\", \"ce_source\": \"shop\"}'::jsonb)");
    std::mutex guard;
    std::set<std::string> types;
    worker by(on_queue());
    by.on(
        "*", "office.book",
        [&](const event& e, context&) {
            const std::lock_guard lock(guard);
            types.insert(std::string(e.event_type()));
            if (e.payload() == "{\"n\": 7}") {
                throw terminal_error("no such account");
            }
        },
        soon());
    by.start();
    EXPECT_TRUE(queue_is_empty());
    EXPECT_EQ(value("select string_agg(payload::text || status || last_error, ',') from "
                    "postrider.delivery"),
              "{\"n\": 7}failedno such account");
    const std::lock_guard lock(guard);
    EXPECT_EQ(types, (std::set<std::string>{"orders", "order.placed"}));
}

TEST_F(worker_on_pgmq, producers_decide_neither_how_much_a_worker_holds_nor_that_it_stops) {
    const auto send = [&](const std::string& megabytes) {
        session.exec("select pgmq.send('orders', to_jsonb(repeat('x', " + megabytes +
                     " * 1000000)))");
    };
    send("140");
    for (int i = 0; i < 3; ++i) {
        send("25");
    }
    const auto from = on_queue().source;
    EXPECT_EQ(from->fetch(10, 0ms).size(), 2) << "64 MB at once";
    EXPECT_EQ(value("select string_agg(read_ct::text, ' ' order by msg_id) from pgmq.q_orders"),
              "1 1 1 0")
        << "the last one was not handed out";
    EXPECT_EQ(from->notice(),
              "messages of the queue orders hidden for an hour: 1, the last ones 1 (larger than 128"
              " MB as text)");
    EXPECT_EQ(from->fetch(10, 0ms).size(), 1);
    EXPECT_EQ(from->notice(), "");
}

TEST_F(worker_on_pgmq, numbers_with_many_digits_neither_fill_the_memory_nor_stop_the_others) {
    send_numbers(20'000);  // as text it would exceed what PostgreSQL can write
    send_numbers(1'100);   // 144 MB as text
    send_numbers(1'100);
    session.exec("select pgmq.send('orders', '{\"n\": 1}'), pgmq.send('orders', '{\"n\": 2}')");
    const auto from = on_queue().source;
    EXPECT_EQ(from->fetch(10, 0ms).size(), 0);
    EXPECT_THAT(from->notice(), HasSubstr("hidden for an hour: 1, the last ones 1 ("));
    EXPECT_EQ(from->fetch(10, 0ms).size(), 0);
    EXPECT_EQ(from->fetch(10, 0ms).size(), 1) << "the other one of two has 144 MB as text";
    EXPECT_THAT(from->notice(), HasSubstr("hidden for an hour: 3, the last ones 1, 2, 3 ("));
    EXPECT_EQ(from->fetch(10, 0ms).size(), 1);
    EXPECT_EQ(value("select count(*) from pgmq.q_orders where vt > now() + interval '50 minutes'"),
              "3");
}

TEST_F(worker_on_pgmq, a_message_that_pgmq_cannot_count_does_not_stop_the_others) {
    session.exec(
        "insert into pgmq.q_orders (vt, message, read_ct) values (now(), '{}', 2147483647);"
        " select pgmq.send('orders', '{\"n\": 1}')");
    const auto from = on_queue().source;
    EXPECT_EQ(from->fetch(10, 0ms).size(), 0);
    EXPECT_THAT(from->notice(), HasSubstr("hidden for an hour: 1, the last ones 1 ("));
    EXPECT_EQ(from->fetch(10, 0ms).size(), 1);
}

TEST_F(worker_on_pgmq, two_workers_hide_only_the_messages_that_cannot_be_read) {
    for (int i = 0; i < 2; ++i) {
        send_numbers(20'000);
        session.exec("select pgmq.send('orders', '{}') from generate_series(1, 3)");
    }
    std::atomic<int> received = 0;
    const auto read = [&] {
        const auto from = on_queue().source;
        const auto end = std::chrono::steady_clock::now() + 2min;
        while (received < 6 && std::chrono::steady_clock::now() < end) {
            received += static_cast<int>(from->fetch(10, 1ms).size());
        }
    };
    std::thread other(read);
    read();
    other.join();
    EXPECT_EQ(received, 6);
    EXPECT_TRUE(becomes("1 5",
                        "select string_agg(msg_id::text, ' ' order by msg_id) from pgmq.q_orders"
                        " where vt > now() + interval '50 minutes'"));
}

TEST_F(worker_on_pgmq, a_long_handler_keeps_its_message_and_a_lost_one_is_marked) {
    session.exec("select pgmq.send('orders', '{}')");
    std::atomic<int> runs = 0;
    worker by(on_queue(1s));
    by.on("*", "office.slow", [&](const event&, context&) {
        ++runs;
        std::this_thread::sleep_for(3s);
    });
    by.start();
    EXPECT_TRUE(queue_is_empty());
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(value("select count(*) from postrider.delivery"), "0");
    // Another reader had it and was lost.
    session.exec("select pgmq.send('orders', '{}')");
    session.exec("update pgmq.q_orders set read_ct = 1");
    EXPECT_TRUE(becomes("delivered 1 0 t",
                        "select concat_ws(' ', status, attempts, crashes, suspect) from "
                        "postrider.delivery"));
    EXPECT_TRUE(queue_is_empty());
}

}  // namespace
}  // namespace postrider::test
