// Classification of failures by a handler's options, through the public API and a real database.
#include <postrider/postrider.hpp>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class judging : public worker_fixture {
  protected:
    // Runs due deliveries until none is left, or only those with a long delay.
    int run(const handler_options& how, handler_function handle) {
        worker office(options());
        office.on("page.*", "office.print", std::move(handle), how);
        int runs = 0;
        for (int now = office.drain(); now > 0; now = office.drain()) {
            runs += now;
            session.exec("select pg_sleep(0.005)");
        }
        return runs;
    }
    void know_handler() {
        worker office(options());
        office.on("page.*", "office.print", [](const event&) {});
        office.drain();
    }
    std::string status_of(const std::string& event_type) {
        return value(
            "select status || ' after ' || attempts from postrider.outbox"
            " where event_type = '" +
            event_type + "'");
    }
};

TEST_F(judging, classes_decide_both_ways_and_the_longest_entry_wins) {
    know_handler();
    publish("page.404");
    publish("page.429");
    publish("page.500");
    auto how = soon();
    how.terminal_classes = {"http:4*"};
    how.transient_classes = {"http:429"};
    const auto handle = [](const event& e, context&) {
        return transient("no", "http:" + std::string(e.event_type().substr(5)));
    };
    EXPECT_EQ(run(how, handle), 1 + 3 + 3);
    EXPECT_EQ(status_of("page.404"), "failed after 1");
    EXPECT_EQ(status_of("page.429"), "failed after 3");
    EXPECT_EQ(status_of("page.500"), "failed after 3");
    const auto results = watching->results();
    EXPECT_EQ(std::ranges::count(results, "terminal"), 1)
        << "the sink hears what the database says";
}

TEST_F(judging, a_conflict_can_be_worth_another_attempt) {
    session.exec("create table public.page (number int primary key)");
    session.exec("insert into public.page values (1)");
    const auto print = [](const event&, transaction& tx) {
        tx.exec("insert into public.page values (1)");
    };
    auto hopeful = soon();
    hopeful.transient_classes = {"sqlstate:23505"};
    worker office(options());
    office.on("page.strict", "office.strict", print, soon());
    office.on("page.hopeful", "office.hopeful", print, hopeful);
    office.drain();
    publish("page.strict");
    publish("page.hopeful");
    office.drain();
    EXPECT_EQ(status_of("page.strict"), "failed after 1");
    EXPECT_EQ(status_of("page.hopeful"), "failed after 3");
}

TEST_F(judging, a_handler_that_honours_nothing_terminal_uses_its_attempts_up) {
    know_handler();
    publish("page.a");
    auto how = soon();
    how.honour_terminal = false;
    EXPECT_EQ(run(how, [](const event&, context&) { return terminal("no"); }), 3);
    EXPECT_EQ(status_of("page.a"), "failed after 3");
}

TEST_F(judging, a_payload_is_final_by_when_it_fails_and_not_by_the_exception) {
    know_handler();
    publish("page.wrong");
    publish("page.unlucky");
    const auto handle = [](const event& e, context&) -> outcome {
        const int pages = validate([&] {
            if (e.event_type() == "page.wrong") {
                throw std::invalid_argument("not a page");
            }
            return 1;
        });
        throw std::invalid_argument("printer " + std::to_string(pages));
    };
    run(soon(), handle);
    EXPECT_EQ(status_of("page.wrong"), "failed after 1");
    EXPECT_EQ(status_of("page.unlucky"), "failed after 3");
    EXPECT_EQ(
        value("select error_class from postrider.dead_letters where event_type = 'page.wrong'"),
        "postrider::payload_error");
}

TEST_F(judging, a_circuit_opens_after_as_many_failures_as_its_handler_says) {
    know_handler();
    session.exec("select postrider.publish('page.a') from generate_series(1, 5)");
    auto how = soon();
    how.max_attempts = 100;
    how.circuit = {.failures = 3, .open = 1h};
    run(how, [](const event&, context&) { return transient("outage"); });
    EXPECT_EQ(value("select circuit_state from postrider.handlers where handler = 'office.print'"),
              "open");
    EXPECT_EQ(count("pending"), "5");
    EXPECT_EQ(value("select circuit ->> 'open_ms' from postrider.handler"), "3600000");
}

TEST_F(judging, a_handler_can_do_without_a_circuit) {
    know_handler();
    session.exec("select postrider.publish('page.a') from generate_series(1, 40)");
    auto how = soon();
    how.max_attempts = 2;
    how.circuit = {.failures = 0};
    EXPECT_EQ(run(how, [](const event&, context&) { return transient("outage"); }), 80);
    EXPECT_EQ(count("failed"), "40");
}

TEST_F(judging, messages_that_are_too_old_are_not_retried) {
    know_handler();
    publish("page.a");
    auto how = soon();
    how.retry.max_age = 1ms;
    EXPECT_EQ(run(how, [](const event&, context&) { return transient("no"); }), 1);
    EXPECT_EQ(status_of("page.a"), "failed after 1");
}

TEST_F(judging, the_message_comes_before_the_handler_and_the_handler_before_the_setting) {
    session.exec(
        "update postrider.setting set value = '2' where name in ('max_attempts', 'max_crashes')");
    session.exec(
        "update postrider.setting set value = '{\"curve\": \"immediate\"}' where name = 'retry'");
    worker office(options());
    const auto handle = [](const event&) { return transient("no"); };
    office.on("page.usual", "office.usual", handle);
    office.on("page.own", "office.own", handle, {.max_attempts = 1, .max_crashes = 7});
    EXPECT_EQ(office.drain(), 0);
    publish("page.usual");
    publish("page.own");
    publish("page.own", "p_priority => 1, p_max_attempts => 4");
    while (office.drain() > 0) {
    }
    EXPECT_EQ(status_of("page.usual"), "failed after 2");
    EXPECT_EQ(value("select string_agg(attempts::text, ' ' order by attempts) from postrider.outbox"
                    " where event_type = 'page.own' and status = 'failed'"),
              "1 4");
    EXPECT_EQ(
        value("select string_agg(max_crashes::text, ' ' order by name) from postrider.handler"),
        "7 2");
}

TEST_F(judging, lists_that_make_no_sense_are_refused_at_the_start) {
    worker office(options());
    office.on("page.*", "office.print", [](const event&) {},
              {.terminal_classes = {"http:4*"}, .transient_classes = {"http:4*"}});
    EXPECT_THROW(office.start(), usage_error);
}

TEST_F(judging, no_delay_that_a_handler_asks_for_keeps_others_from_being_handled) {
    know_handler();
    publish("page.forever");
    publish("page.now");
    const auto handle = [](const event& e, context&) {
        return e.event_type() == "page.forever" ? retry_after(std::chrono::milliseconds::max())
                                                : delivered();
    };
    EXPECT_EQ(run(soon(), handle), 2);
    EXPECT_EQ(status_of("page.forever"), "pending after 1");
    EXPECT_EQ(count("delivered"), "1");
}

TEST_F(judging, another_database_that_is_away_is_a_failure_like_any_other) {
    know_handler();
    publish("page.1");
    const auto handle = [](const event&, context&) -> outcome {
        const connection other("host=/nowhere dbname=reports");
        return delivered();
    };
    EXPECT_EQ(run(soon(), handle), 3);
    EXPECT_EQ(status_of("page.1"), "failed after 3");
}

}  // namespace
}  // namespace postrider::test
