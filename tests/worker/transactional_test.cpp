#include <algorithm>
#include <postrider/postrider.hpp>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

class transactional : public worker_fixture {
  protected:
    void SetUp() override { session.exec("create table ledger (key text, amount int)"); }
    static void book(const event& e, transaction& tx) {
        tx.exec("insert into ledger values ($1, $2)", e.idempotency_key(), 5);
    }
};

TEST_F(transactional, effect_and_inbox_commit_as_one) {
    worker office(options());
    office.on("*", "office.book", book);
    EXPECT_EQ(office.drain(), 0);
    publish("a.b", "p_source => 'shop', p_idempotency_key => 'k'");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(value("select count(*) from ledger"), "1");
    EXPECT_EQ(value("select concat_ws(' ', consumer_name, handler_name, source, idempotency_key)"
                    " from postrider.event_handled"),
              "office office.book shop k");
}

TEST_F(transactional, a_duplicate_is_skipped_and_not_run) {
    worker office(options());
    office.on("*", "office.book", book);
    EXPECT_EQ(office.drain(), 0);
    publish("a.b", "p_idempotency_key => 'k'");
    publish("a.b", "p_idempotency_key => 'k'");
    EXPECT_EQ(office.drain(), 2);
    EXPECT_EQ(value("select count(*) from ledger"), "1");
    EXPECT_EQ(watching->results(), (std::vector<std::string>{"delivered", "duplicate"}));
    EXPECT_EQ(count("delivered"), "2");
}

TEST_F(transactional, a_repetition_has_the_same_consumer_handler_source_and_key) {
    worker billing(options("billing"));
    worker audit(options("audit"));
    for (auto* one : {&billing, &audit}) {
        one->on("*", "ledger.book", book);
        EXPECT_EQ(one->drain(), 0);
    }
    publish("order.paid", "p_source => 'shop', p_idempotency_key => '42'");
    publish("rent.paid", "p_source => 'mill', p_idempotency_key => '42'");
    publish("order.paid", "p_source => 'shop', p_idempotency_key => '42'");
    EXPECT_EQ(billing.drain(), 3);
    EXPECT_EQ(audit.drain(), 3);
    EXPECT_EQ(value("select count(*) from ledger"), "4");
    auto results = watching->results();
    std::ranges::sort(results);
    EXPECT_EQ(results, (std::vector<std::string>{"delivered", "delivered", "delivered", "delivered",
                                                 "duplicate", "duplicate"}));
}

TEST_F(transactional, a_replay_on_another_channel_of_the_same_consumer_is_a_repetition) {
    auto first = options();
    first.channel = "outbox_gen_1";
    auto second = options();
    second.channel = "outbox_gen_2";
    worker before(first);
    worker after(second);
    for (auto* one : {&before, &after}) {
        one->on("*", "office.book", book);
        EXPECT_EQ(one->drain(), 0);
    }
    publish("a.b", "p_source => 'shop', p_channel => 'outbox_gen_1', p_generation => 1");
    EXPECT_EQ(before.drain(), 1);
    const auto id = value("select id from postrider.message");
    session.exec("select postrider.redeliver('" + id +
                 "', 'office', 'office.book', false, 'ann', 'moves', 'outbox_gen_1')");
    session.exec("select postrider.bury(array(select id from postrider.delivery), 'ann', 'moves')");
    session.exec("select postrider.outbox_replay('" + id + "', 2, 'ann')");
    EXPECT_EQ(after.drain(), 1);
    EXPECT_EQ(watching->results(), (std::vector<std::string>{"delivered", "duplicate"}));
    EXPECT_EQ(value("select count(*) from ledger"), "1");
}

TEST_F(transactional, a_run_that_fails_leaves_nothing_behind) {
    worker office(options());
    office.on("*", "office.book", [](const event& e, transaction& tx) {
        book(e, tx);
        return transient("second thoughts");
    });
    EXPECT_EQ(office.drain(), 0);
    publish("a.b");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(value("select count(*) from ledger"), "0");
    EXPECT_EQ(value("select count(*) from postrider.event_handled"), "0");
    EXPECT_EQ(value("select last_error from postrider.outbox"), "second thoughts");
}

TEST_F(transactional, a_violated_constraint_is_terminal) {
    session.exec("alter table ledger add check (amount > 10)");
    worker office(options());
    office.on("*", "office.book", book);
    EXPECT_EQ(office.drain(), 0);
    publish("a.b");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(value("select status || ' ' || error_class from postrider.outbox"),
              "failed sqlstate:23514");
}

TEST_F(transactional, messages_of_a_handler_commit_with_its_effect) {
    worker office(options());
    office.on("order.placed", "office.chain", [](const event& e, transaction& tx) {
        book(e, tx);
        postrider::publish(tx, {.event_type = "order.booked", .source = "office"});
    });
    office.on("order.booked", "office.end", [](const event&) {});
    EXPECT_EQ(office.drain(), 0);
    worker_fixture::publish(
        "order.placed",
        "p_trace_context => '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'");
    EXPECT_EQ(office.drain(), 2);
    EXPECT_EQ(watching->runs().at(1).event_type, "order.booked");
    EXPECT_EQ(watching->runs().at(1).trace_id, "0af7651916cd43dd8448eb211c80319c");
}

TEST_F(transactional, the_worker_commits_and_not_the_handler) {
    worker office(options());
    office.on("*", "office.book", [](const event& e, transaction& tx) {
        book(e, tx);
        tx.commit();
    });
    EXPECT_EQ(office.drain(), 0);
    publish("a.b");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(value("select count(*) from ledger"), "0");
    EXPECT_EQ(value("select attempts from postrider.outbox where status = 'pending'"), "1");
}

TEST_F(transactional, a_lost_connection_costs_no_attempt) {
    worker office(options());
    int runs = 0;
    office.on("*", "office.book", [&](const event& e, transaction& tx) {
        if (++runs == 1) {
            const auto pid = tx.exec("select pg_backend_pid()");
            session.exec("select pg_terminate_backend(" + std::string(pid.text(0, 0)) + ", 5000)");
        }
        book(e, tx);
    });
    office.start();
    publish("a.b");
    ASSERT_TRUE(watching->wait_runs(2));
    EXPECT_TRUE(becomes("delivered", "select status from postrider.outbox"));
    EXPECT_EQ(
        value("select attempts || ' ' || failures || ' ' || interruptions from postrider.outbox"),
        "1 0 1");
    EXPECT_EQ(value("select count(*) from ledger"), "1");
}

TEST_F(transactional, a_run_that_outlasts_its_timeout_is_a_failure_and_ends_on_the_server_too) {
    worker office(options());
    auto quick = soon();
    quick.timeout = std::chrono::milliseconds(100);
    quick.max_attempts = 1;
    office.on(
        "*", "office.book", [](const event&, transaction& tx) { tx.exec("select pg_sleep(300)"); },
        quick);
    office.start();
    publish("a.b");
    ASSERT_TRUE(watching->wait_runs(1));
    EXPECT_TRUE(becomes("failed 1 timeout",
                        "select status || ' ' || failures || ' ' || error_class"
                        " from postrider.outbox"));
    EXPECT_TRUE(becomes("0",
                        "select count(*) from pg_stat_activity where datname = current_database()"
                        " and query like '%pg_sleep(300)%' and pid <> pg_backend_pid()"));
}

TEST_F(transactional, a_transaction_that_the_handler_ended_is_not_delivered) {
    worker office(options());
    auto once = soon();
    once.max_attempts = 1;
    office.on(
        "*", "office.book",
        [](const event& e, transaction& tx) {
            book(e, tx);
            try {
                tx.exec("rollback");
            } catch (const error&) {
                // As if nothing had happened.
            }
        },
        once);
    EXPECT_EQ(office.drain(), 0);
    publish("a.b");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(value("select status || ' ' || error_class from postrider.outbox"),
              "failed sqlstate:25P01");
}

TEST_F(transactional, settings_of_a_handler_do_not_reach_the_next_message) {
    session.exec(
        "do $$ begin create role postrider_test_limited; exception when others then null; end $$");
    worker office(options());
    std::string seen;
    office.on("set", "office.set", [](const event&, transaction& tx) {
        tx.exec("set search_path = pg_temp");
        tx.exec("set role postrider_test_limited");
    });
    office.on("look", "office.look", [&](const event&, transaction& tx) {
        const auto rows =
            tx.exec("select current_setting('search_path') || ' ' || current_setting('role')");
        seen = rows.text(0, 0);
    });
    EXPECT_EQ(office.drain(), 0);
    publish("set");
    EXPECT_EQ(office.drain(), 1);
    publish("look");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(seen, "\"$user\", public none");
    EXPECT_EQ(count("delivered"), "2");
}

}  // namespace
}  // namespace postrider::test
