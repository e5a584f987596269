#include <atomic>
#include <postrider/postrider.hpp>

#include "support/turnstile.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class handling : public worker_fixture {};

TEST_F(handling, a_published_message_reaches_its_handler) {
    worker office(options());
    std::string payload;
    std::string id;
    office.on("user.created", "office.welcome", [&](const event& e) {
        payload = e.payload();
        id = e.id();
    });
    office.start();
    const auto published = value("select postrider.publish('user.created', '{\"user_id\": 42}')");
    ASSERT_TRUE(watching->wait_runs(1));
    office.request_stop();
    office.wait();
    EXPECT_EQ(payload, R"({"user_id": 42})");
    EXPECT_EQ(id, published);
    EXPECT_EQ(watching->runs()[0].message_id, published);
    EXPECT_EQ(count("delivered"), "1");
    EXPECT_EQ(value("select count(*) from postrider.worker"), "0");
}

// Converted to jsonb it would be another document, or invalid.
TEST_F(handling, a_second_attempt_is_given_the_bytes_that_were_published) {
    worker office(options());
    std::vector<std::string> payloads;
    office.on(
        "user.created", "office.welcome",
        [&](const event& e) {
            payloads.emplace_back(e.payload());
            payloads.emplace_back(e.headers().value_or("none"));
            if (payloads.size() == 2) {
                throw std::runtime_error("not yet");
            }
        },
        soon());
    EXPECT_EQ(office.drain(), 0);
    const std::string document = R"({"b" : 1.50,"a":"\u0000", "b":2})";
    session.exec(
        "insert into postrider.message (event_type, payload, headers) values"
        " ('user.created', '" +
        document + "', '{\"h\":1}')");
    EXPECT_EQ(office.drain(), 2);
    EXPECT_EQ(payloads, (std::vector<std::string>{document, "{\"h\":1}", document, "{\"h\":1}"}));
}

// Quick messages make a thread take many at once.
TEST_F(handling, messages_behind_a_slow_one_are_begun_by_other_threads) {
    worker office(options());
    turnstile door;
    office.on("quick", "office.quick", [](const event&) {});
    office.on("slow", "office.slow", [&](const event&) { EXPECT_TRUE(door.pass()); });
    office.start();
    session.exec("select postrider.publish('quick') from generate_series(1, 500)");
    ASSERT_TRUE(watching->wait_runs(500));
    session.exec("select postrider.publish('slow') from generate_series(1, 4)");
    EXPECT_TRUE(door.wait_for(4));
    door.open();
    ASSERT_TRUE(watching->wait_runs(504));
    office.request_stop();
    office.wait();
    EXPECT_EQ(count("delivered"), "504");
}

TEST_F(handling, handlers_are_found_by_exact_type_prefix_and_star) {
    worker office(options());
    const auto nothing = [](const event&) {};
    office.on("user.created", "office.exact", nothing);
    office.on("user.*", "office.prefix", nothing);
    office.on({"order.placed", "user.deleted"}, "office.several", nothing);
    office.on("*", "office.all", nothing);
    EXPECT_EQ(office.drain(), 0);
    for (const auto* type : {"user.created", "user.deleted", "userx", "order.placed"}) {
        publish(type);
    }
    EXPECT_EQ(office.drain(), 9);
    std::map<std::string, int> runs;
    for (const auto& run : watching->runs()) {
        ++runs[run.event_type + " " + run.handler];
    }
    const std::map<std::string, int> expected{{"user.created office.exact", 1},
                                              {"user.created office.prefix", 1},
                                              {"user.created office.all", 1},
                                              {"user.deleted office.prefix", 1},
                                              {"user.deleted office.several", 1},
                                              {"user.deleted office.all", 1},
                                              {"userx office.all", 1},
                                              {"order.placed office.several", 1},
                                              {"order.placed office.all", 1}};
    EXPECT_EQ(runs, expected);
}

TEST_F(handling, a_handler_that_throws_is_tried_again_until_it_delivers) {
    worker office(options());
    std::atomic<int> runs = 0;
    office.on(
        "*", "office.flaky",
        [&](const event&, context& ctx) {
            EXPECT_EQ(ctx.attempts(), ++runs);
            if (ctx.attempts() < 3) {
                throw std::runtime_error("not yet");
            }
        },
        soon());
    office.start();
    publish("a.b");
    ASSERT_TRUE(watching->wait_runs(3));
    EXPECT_TRUE(becomes("1", "select count(*) from postrider.outbox where status = 'delivered'"));
    EXPECT_EQ(watching->results(),
              (std::vector<std::string>{"transient", "transient", "delivered"}));
    EXPECT_EQ(value("select last_error from postrider.outbox"), "not yet");
}

TEST_F(handling, a_message_whose_attempts_are_used_up_is_a_dead_letter) {
    worker office(options());
    office.on(
        "*", "office.broken", [](const event&) -> void { throw std::runtime_error("no"); }, soon());
    office.start();
    publish("a.b");
    EXPECT_TRUE(becomes("1", "select count(*) from postrider.outbox where status = 'failed'"));
    EXPECT_EQ(watching->runs().size(), 3U);
}

TEST_F(handling, a_terminal_error_is_a_dead_letter_at_once) {
    worker office(options());
    office.on("*", "office.picky",
              [](const event&) -> void { throw terminal_error("no such user"); });
    EXPECT_EQ(office.drain(), 0);
    publish("a.b");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(count("failed"), "1");
    EXPECT_EQ(value("select last_error || ' ' || error_class from postrider.outbox"),
              "no such user postrider::terminal_error");
}

TEST_F(handling, one_handlers_dead_letter_never_holds_back_another) {
    worker office(options());
    office.on("*", "office.good", [](const event&) {});
    office.on("*", "office.bad", [](const event&) { return terminal("never"); });
    EXPECT_EQ(office.drain(), 0);
    publish("a.b");
    EXPECT_EQ(office.drain(), 2);
    EXPECT_EQ(value("select string_agg(handler || ' ' || status, ', ' order by handler)"
                    " from postrider.outbox"),
              "office.bad failed, office.good delivered");
}

TEST_F(handling, a_snooze_costs_no_attempt) {
    worker office(options());
    std::atomic<int> runs = 0;
    office.on("*", "office.sleepy", [&](const event&, context& ctx) {
        EXPECT_EQ(ctx.attempts(), 1);
        return ++runs < 4 ? snooze(1ms) : delivered();
    });
    office.start();
    publish("a.b");
    ASSERT_TRUE(watching->wait_runs(4));
    EXPECT_TRUE(becomes("delivered", "select status from postrider.outbox"));
}

TEST_F(handling, a_failure_may_say_when_to_come_back) {
    worker office(options());
    office.on("*", "office.limited", [](const event&) { return retry_after(1h, "slow down"); });
    EXPECT_EQ(office.drain(), 0);
    publish("a.b");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(value("select available_at > now() + interval '59 minutes' from postrider.outbox"),
              "t");
    EXPECT_EQ(value("select attempts from postrider.outbox"), "1");
}

TEST_F(handling, a_batch_handler_gets_its_events_together_and_answers_for_each) {
    worker office(options());
    std::vector<std::size_t> sizes;
    handler_options in_threes = soon();
    in_threes.batch_max = 3;
    office.on(
        "n.*", "office.batch",
        [&](std::span<const event> all) {
            sizes.push_back(all.size());
            std::vector<outcome> outcomes;
            for (const auto& e : all) {
                outcomes.push_back(e.event_type() == "n.bad" ? terminal("bad") : delivered());
            }
            return outcomes;
        },
        in_threes);
    EXPECT_EQ(office.drain(), 0);
    for (const auto* type : {"n.one", "n.bad", "n.three", "n.four"}) {
        publish(type);
    }
    EXPECT_EQ(office.drain(), 4);
    EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 1}));
    EXPECT_EQ(count("delivered"), "3");
    EXPECT_EQ(value("select event_type from postrider.outbox where status = 'failed'"), "n.bad");
}

TEST_F(handling, a_batch_handler_that_forgets_an_outcome_fails_its_events) {
    worker office(options());
    office.on("*", "office.batch", [](std::span<const event>) { return std::vector<outcome>(); });
    EXPECT_EQ(office.drain(), 0);
    publish("a.b");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(value("select error_class from postrider.outbox"), "outcomes_missing");
}

TEST_F(handling, a_batch_handler_gets_its_retries_together_too) {
    worker office(options());
    std::vector<std::size_t> sizes;
    handler_options in_threes = soon();
    in_threes.batch_max = 3;
    office.on(
        "n.*", "office.batch",
        [&](std::span<const event> all, context& ctx) {
            sizes.push_back(all.size());
            return std::vector<outcome>(all.size(),
                                        ctx.attempts() == 1 ? transient("not yet") : delivered());
        },
        in_threes);
    EXPECT_EQ(office.drain(), 0);
    session.exec("select postrider.publish('n.a') from generate_series(1, 4)");
    int runs = office.drain();
    while (runs < 8) {
        session.exec("select pg_sleep(0.002)");  // until the retries are due
        runs += office.drain();
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 1, 3, 1}));
    EXPECT_EQ(count("delivered"), "4");
}

TEST_F(handling, a_scheduled_message_waits_for_its_time) {
    worker office(options());
    office.on("*", "office.later", [](const event&) {});
    office.start();
    publish("a.b", "p_available_at => clock_timestamp() + interval '300 milliseconds'");
    ASSERT_TRUE(watching->wait_runs(1));
    EXPECT_EQ(value("select clock_timestamp() >= available_at from postrider.outbox"), "t");
}

TEST_F(handling, a_worker_without_a_handler_leaves_its_messages_to_the_one_that_has_it) {
    worker fresh(options());
    fresh.on("*", "office.old", [](const event&) {});
    fresh.on("*", "office.new", [](const event&) {});
    EXPECT_EQ(fresh.drain(), 0);
    worker old(options());
    old.on("*", "office.old", [](const event&) {});
    EXPECT_EQ(old.drain(), 0);
    publish("a.b");
    EXPECT_EQ(old.drain(), 1);
    EXPECT_EQ(count("pending"), "1");
    EXPECT_EQ(fresh.drain(), 1);
    EXPECT_EQ(count("delivered"), "2");
}

TEST_F(handling, middleware_is_wrapped_around_every_run) {
    worker office(options());
    std::string order;
    office.use([&](const event&, context&, const auto& next) {
        order += "(";
        auto how = next();
        order += ")";
        return how;
    });
    office.use([&](const event& e, context&, const auto& next) {
        return e.event_type() == "a.skipped" ? terminal("skipped") : next();
    });
    office.on("*", "office.inner", [&](const event&) { order += "x"; });
    EXPECT_EQ(office.drain(), 0);
    publish("a.run");
    publish("a.skipped");
    EXPECT_EQ(office.drain(), 2);
    EXPECT_EQ(order, "(x)()");
    EXPECT_EQ(count("failed"), "1");
}

TEST_F(handling, a_handler_continues_the_trace_of_its_message) {
    worker office(options());
    std::string seen;
    office.on("*", "office.traced",
              [&](const event&, context& ctx) { seen = ctx.trace_context(); });
    EXPECT_EQ(office.drain(), 0);
    publish("a.b", "p_trace_context => '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'");
    EXPECT_EQ(office.drain(), 1);
    const auto run = watching->runs().at(0);
    EXPECT_EQ(run.trace_id, "0af7651916cd43dd8448eb211c80319c");
    EXPECT_EQ(run.parent_span_id, "b7ad6b7169203331");
    EXPECT_TRUE(seen.starts_with("00-0af7651916cd43dd8448eb211c80319c-")) << seen;
    EXPECT_EQ(seen.find("b7ad6b7169203331"), std::string::npos) << seen;
}

TEST_F(handling, a_generation_is_handled_by_its_own_workers_alone) {
    auto second = options();
    second.generation = 2;
    worker old(options());
    worker fresh(second);
    old.on("*", "office.all", [](const event&) {});
    fresh.on("*", "office.all", [](const event&) {});
    EXPECT_EQ(old.drain() + fresh.drain(), 0);
    publish("a.b", "p_channel => 'outbox_gen_2', p_generation => 2");
    EXPECT_EQ(old.drain(), 0);
    EXPECT_EQ(fresh.drain(), 1);
}

TEST_F(handling, invalid_configurations_are_refused_at_the_start) {
    EXPECT_THROW(worker({.database = database.conninfo()}), usage_error);
    worker nameless(options());
    EXPECT_THROW(nameless.start(), usage_error);
    worker office(options());
    office.on("*", "without_scope", [](const event&) {});
    EXPECT_THROW(office.start(), usage_error);
    worker twice(options());
    twice.on("*", "office.all", [](const event&) {});
    EXPECT_THROW(twice.on("a.*", "office.all", [](const event&) {}), usage_error);
    const auto refuses = [](worker_options wrong) {
        EXPECT_THROW(worker{std::move(wrong)}, usage_error);
    };
    auto endless = options();
    endless.shutdown_timeout = std::chrono::milliseconds::max();
    refuses(endless);
    endless = options();
    endless.call_timeout = std::chrono::milliseconds::max();
    refuses(endless);
    refuses(options("not utf-8: \xff"));
    EXPECT_THROW(twice.on("a.*", "office.long", [](const event&) {}, {.timeout = 24h * 30}),
                 usage_error);
    EXPECT_THROW(twice.on("\xff", "office.odd", [](const event&) {}), usage_error);
}

TEST_F(handling, a_database_without_the_schema_is_refused_at_the_start) {
    const test_database empty(test_database::contents::empty);
    auto wrong = options();
    wrong.database = empty.conninfo();
    worker office(wrong);
    office.on("*", "office.all", [](const event&) {});
    EXPECT_THROW(office.start(), schema_error);
}

TEST_F(handling, a_schema_that_does_not_fit_is_refused_at_the_start) {
    const auto start = [this] {
        worker office(options());
        office.on("*", "office.all", [](const event&) {});
        office.start();
    };
    session.exec("begin; create table kept as select * from postrider.migration");
    session.exec("delete from postrider.migration where version = (select max(version) from kept)");
    session.exec("commit");
    try {
        start();
        ADD_FAILURE() << "an older schema was taken";
    } catch (const schema_error& problem) {
        EXPECT_EQ(problem.code(), errc::schema_outdated);
    }
    EXPECT_EQ(value("select count(*) from postrider.worker"), "0");
    session.exec(
        "delete from postrider.migration; insert into postrider.migration select * from kept");
    // A newer schema supports older programs unless one of its migrations is breaking.
    session.exec(
        "insert into postrider.migration (version, name, sha256, breaking)"
        " select max(version) + 1, 'next', repeat('0', 64), false from kept");
    EXPECT_NO_THROW(start());
    session.exec("update postrider.migration set breaking = true where name = 'next'");
    try {
        start();
        ADD_FAILURE() << "a schema for newer programs was taken";
    } catch (const schema_error& problem) {
        EXPECT_EQ(problem.code(), errc::schema_newer);
    }
}

}  // namespace
}  // namespace postrider::test
