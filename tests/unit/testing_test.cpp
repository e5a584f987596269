#include <postrider/error.hpp>
#include <postrider/testing.hpp>

// postrider::testing would hide it inside of namespace postrider.
#include <gtest/gtest.h>

namespace {

namespace pt = postrider::testing;
using namespace std::chrono_literals;
using postrider::context;
using postrider::event;
using postrider::message;
using postrider::outcome;
using postrider::outcome_kind;

const message order{.event_type = "order.placed",
                    .payload = R"({"order": 42})",
                    .id = "01890a5d-ac96-774b-bcce-b302099a8057"};

TEST(testing, an_event_equals_that_of_a_worker) {
    const pt::received made(message{.event_type = "a.b",
                                    .payload = "[1]",
                                    .source = "shop",
                                    .target = "billing",
                                    .id = order.id,
                                    .event_version = 2,
                                    .workspace_id = "01890a5d-ac96-774b-bcce-b302099a8058",
                                    .headers = "{}",
                                    .generation = 7});
    const auto& e = made.front();
    EXPECT_EQ(e.id(), order.id);
    EXPECT_EQ(e.event_type(), "a.b");
    EXPECT_EQ(e.payload(), "[1]");
    EXPECT_EQ(e.source(), "shop");
    EXPECT_EQ(e.target(), "billing");
    EXPECT_EQ(e.event_version(), 2);
    EXPECT_EQ(e.workspace_id(), "01890a5d-ac96-774b-bcce-b302099a8058");
    EXPECT_EQ(e.headers(), "{}");
    EXPECT_EQ(e.generation(), 7);
    EXPECT_EQ(e.idempotency_key(), order.id) << "the id unless one is given";
    EXPECT_LT(std::chrono::abs(e.occurred_at() - std::chrono::system_clock::now()), 1min);
}

TEST(testing, a_message_that_could_not_be_published_makes_no_event) {
    EXPECT_THROW(pt::received(message{.event_type = "a", .payload = "{"}), postrider::usage_error);
}

TEST(testing, a_handler_delivers_by_returning_and_fails_by_throwing) {
    EXPECT_TRUE(pt::run([](const event&) {}, order).ok());
    const auto how = pt::run([](const event&) { throw std::runtime_error("no"); }, order);
    EXPECT_EQ(how.kind, outcome_kind::transient);
    EXPECT_EQ(how.error_class, "std::runtime_error");
    EXPECT_EQ(
        pt::run([](const event&) -> outcome { return postrider::terminal("never"); }, order).kind,
        outcome_kind::terminal);
}

TEST(testing, a_handlers_lists_are_respected) {
    const pt::run_options options{
        .handler = {.terminal_errors = postrider::error_list::of<std::out_of_range>()}};
    EXPECT_EQ(pt::run([](const event&) { throw std::out_of_range("x"); }, order, options).kind,
              outcome_kind::terminal);
}

TEST(testing, the_context_is_the_one_asked_for) {
    std::stop_source stop;
    stop.request_stop();
    const pt::run_options options{
        .name = "shop.ship", .attempts = 3, .cycle = 2, .time_left = 1h, .stop = stop.get_token()};
    const auto how = pt::run(
        [](const event&, context& run) {
            EXPECT_EQ(run.handler(), "shop.ship");
            EXPECT_EQ(run.attempts(), 3);
            EXPECT_EQ(run.cycle(), 2);
            EXPECT_TRUE(run.stop_requested());
            EXPECT_GT(run.deadline(), std::chrono::steady_clock::now() + 59min);
        },
        order, options);
    EXPECT_TRUE(how.ok());
}

TEST(testing, a_run_continues_the_trace_of_its_event) {
    auto traced = order;
    traced.trace_context = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    std::string seen;
    pt::run(
        [&](const event&, context& run) {
            seen = run.trace_context();
            const pt::received next(message{.event_type = "next"});
            EXPECT_EQ(next.front().trace_context(), seen) << "what it publishes belongs to it";
        },
        traced);
    EXPECT_EQ(seen.substr(0, 36), traced.trace_context->substr(0, 36));
    EXPECT_NE(seen, traced.trace_context);
}

TEST(testing, an_unsampled_trace_stays_unsampled) {
    auto traced = order;
    for (const auto* flags : {"00", "01", "02", "03"}) {
        traced.trace_context =
            std::string("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-") + flags;
        std::string seen;
        pt::run([&](const event&, context& run) { seen = run.trace_context(); }, traced);
        EXPECT_EQ(seen.substr(53), flags[1] == '0' || flags[1] == '2' ? "00" : "01") << flags;
    }
}

TEST(testing, a_batch_has_an_outcome_for_each_event) {
    const std::vector<message> two(2, order);
    const auto mixed = pt::run(
        [](std::span<const event> all) {
            return std::vector<outcome>{postrider::delivered(),
                                        postrider::transient(std::to_string(all.size()))};
        },
        two);
    ASSERT_EQ(mixed.size(), 2U);
    EXPECT_TRUE(mixed[0].ok());
    EXPECT_EQ(mixed[1].error, "2");
    EXPECT_TRUE(pt::run([](std::span<const event>, context&) {}, two)[1].ok());
    for (const auto& how :
         pt::run([](std::span<const event>) { throw std::runtime_error("all"); }, two)) {
        EXPECT_EQ(how.error, "all");
    }
    for (const auto& how :
         pt::run([](std::span<const event>) { return std::vector<outcome>(1); }, two)) {
        EXPECT_EQ(how.error_class, "outcomes_missing");
    }
}

TEST(testing, a_cycle_retries_on_a_clock_that_does_not_wait) {
    int calls = 0;
    pt::fake_clock clock;
    const auto start = clock.now();
    const auto cycle = pt::run_cycle(
        [&](const event&) {
            if (++calls < 4) {
                throw std::runtime_error("not yet");
            }
        },
        order, clock);
    EXPECT_TRUE(cycle.delivered);
    ASSERT_EQ(cycle.runs.size(), 4U);
    EXPECT_EQ(cycle.runs[3].attempts, 4);
    EXPECT_EQ(cycle.runs[1].at - start, 500ms);
    EXPECT_EQ(clock.now() - start, 500ms + 1s + 2s);
}

TEST(testing, a_cycle_ends_as_a_dead_letter_when_the_attempts_are_used_up) {
    pt::fake_clock clock;
    const auto always_fails = [](const event&) { throw std::runtime_error("no"); };
    EXPECT_EQ(pt::run_cycle(always_fails, order, clock).runs.size(), 5U);
    auto twice = order;
    twice.max_attempts = 2;
    const auto cycle = pt::run_cycle(always_fails, twice, clock);
    EXPECT_EQ(cycle.runs.size(), 2U) << "the message's own limit comes first";
    EXPECT_FALSE(cycle.delivered);
    const auto final = [](const event&) { throw postrider::terminal_error("no"); };
    EXPECT_EQ(pt::run_cycle(final, order, clock).runs.size(), 1U);
}

TEST(testing, a_cycle_ends_when_the_message_would_be_too_old) {
    pt::fake_clock clock;
    const pt::run_options options{
        .handler = {.retry = {.curve = postrider::curve::fixed, .base = 1min, .max_age = 150s},
                    .max_attempts = 100}};
    const auto cycle =
        pt::run_cycle([](const event&) { throw std::runtime_error("no"); }, order, clock, options);
    EXPECT_EQ(cycle.runs.size(), 3U) << "at 0, 60 and 120 s";
    EXPECT_FALSE(cycle.delivered);
}

TEST(testing, putting_off_costs_no_attempt) {
    int calls = 0;
    pt::fake_clock clock;
    const auto start = clock.now();
    const auto cycle = pt::run_cycle(
        [&](const event&) -> outcome {
            return ++calls < 8 ? postrider::snooze(1min) : postrider::delivered();
        },
        order, clock);
    EXPECT_EQ(cycle.runs.back().attempts, 1);
    EXPECT_EQ(clock.now() - start, 7min);
    EXPECT_THROW(pt::run_cycle([](const event&) { return postrider::snooze(1s); }, order, clock),
                 pt::expectation_failed);
}

TEST(testing, a_schedule_lists_the_waits) {
    const postrider::handler_options quadratic{.retry = {.curve = postrider::curve::quadratic},
                                               .max_attempts = 4};
    EXPECT_EQ(pt::schedule(quadratic), (std::vector<std::chrono::microseconds>{1s, 4s, 9s}));
}

std::string complaint(const std::function<void()>& expectation) {
    try {
        expectation();
    } catch (const pt::expectation_failed& said) {
        return said.what();
    }
    return "nothing";
}

TEST(testing, a_failed_expectation_reports_the_outcome) {
    const auto no = postrider::retry_after(3s, "slow down", "rate_limit");
    EXPECT_EQ(
        complaint([&] { pt::expect_delivered(no); }),
        "expected delivered, but the outcome is transient after 3000 ms: rate_limit: slow down");
    EXPECT_EQ(
        complaint([&] { pt::expect_transient(no, "timeout"); }),
        "expected transient with the class timeout, but the outcome is transient after 3000 ms: "
        "rate_limit: slow down");
    EXPECT_EQ(complaint([&] { pt::expect_transient(no, "rate_limit"); }), "nothing");
    EXPECT_EQ(complaint([&] { pt::expect_terminal(postrider::terminal("x")); }), "nothing");
    EXPECT_EQ(complaint([&] { pt::expect_snooze(postrider::snooze(5s), 5s); }), "nothing");
    EXPECT_EQ(complaint([&] { pt::expect_snooze(postrider::snooze(5s), 6s); }),
              "expected snooze for 6000 ms, but the outcome is snooze after 5000 ms");
}

}  // namespace
