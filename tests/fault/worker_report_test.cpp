// Reports that the database does not take at the first attempt.
#include <gtest/gtest.h>

#include "fault/worker_under_fault.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

// Holds up the worker's coordinator, in whose thread figures are reported.
class detaining_observer : public observer {
  public:
    void figures(const worker_figures&) override {
        if (detain) {
            here.pass();
        }
    }
    std::atomic<bool> detain = false;
    turnstile here;
};

class worker_report : public worker_under_fault {
  protected:
    // While `condition` holds no delivery can be made.
    void refuse_deliveries(const std::string& sqlstate, const std::string& condition) {
        session.exec("create sequence public.refusals");
        session.exec(
            "create function public.refuse() returns trigger language plpgsql as $$ begin if " +
            condition + " then raise exception using errcode = '" + sqlstate +
            "'; end if; return new; end $$");
        session.exec("grant usage on sequence public.refusals to public");
        session.exec(
            "create trigger refuse before insert on postrider.delivery"
            " for each row execute function public.refuse()");
    }
};

TEST_F(worker_report, a_failure_that_cannot_be_reported_yet_is_not_a_delivery) {
    worker office(behind_gate());
    office.on(
        "flaky.a", "office.flaky",
        [](const event&, context& ctx) {
            return ctx.attempts() == 1 ? transient("once") : delivered();
        },
        soon());
    office.start();
    // As often as it takes to be refused together with others and alone.
    refuse_deliveries("42501", "nextval('public.refusals') <= 2");
    publish("flaky.a");
    EXPECT_TRUE(watching->wait_state("database_error"));
    EXPECT_TRUE(watching->wait_runs(2));
    EXPECT_TRUE(becomes("delivered", "select status from postrider.outbox"));
    EXPECT_EQ(value("select failures from postrider.outbox"), "1");
}

TEST_F(worker_report, a_report_that_deadlocks_does_not_lose_the_claim_sent_with_it) {
    const auto detaining = std::make_shared<detaining_observer>();
    auto watched = behind_gate();
    watched.sink = detaining;
    worker office(watched);
    turnstile door;
    office.on(
        "flaky.a", "office.flaky",
        [&](const event&, context& ctx) {
            EXPECT_TRUE(door.pass());
            return ctx.attempts() == 1 ? transient("once") : delivered();
        },
        soon());
    office.on("slow.a", "office.slow", [&](const event&) { EXPECT_TRUE(door.pass()); });
    office.on("next.a", "office.next", [](const event&) {});
    office.start();
    publish("flaky.a");
    ASSERT_TRUE(door.wait_for(1));
    publish("slow.a");
    ASSERT_TRUE(door.wait_for(2));
    refuse_deliveries("40P01", "nextval('public.refusals') = 1");
    detaining->detain = true;
    ASSERT_TRUE(detaining->here.wait_for(1));
    door.open();
    ASSERT_TRUE(detaining->wait_runs(2));
    publish("next.a");
    detaining->detain = false;
    detaining->here.open();
    EXPECT_TRUE(becomes("3 of 3",
                        "select count(*) filter (where status = 'delivered') || ' of ' || count(*)"
                        " from postrider.outbox"));
    EXPECT_EQ(detaining->count_state("database_error"), 1);
    EXPECT_EQ(detaining->count_state("lease_lost"), 0);
}

}  // namespace
}  // namespace postrider::test
