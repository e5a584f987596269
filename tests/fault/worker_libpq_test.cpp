// Each call of libpq that a worker makes is broken in turn.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/faults/failing_libpq.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class worker_libpq : public worker_fixture, public testing::WithParamInterface<broken> {
  protected:
    void SetUp() override {
        session.exec("create table public.effect (key text)");
        session.exec("select postrider.create_consumer('office')");
    }
    worker_options quick() const {
        auto made = options();
        made.concurrency = 1;
        made.heartbeat_timeout = 1s;
        made.sweep = 1s;
        made.poll = 100ms;
        return made;
    }
    static void add_handlers(worker& to) {
        to.on("plain.a", "office.plain", [](const event&) {});
        to.on(
            "flaky.a", "office.flaky",
            [](const event&, context& ctx) {
                return ctx.attempts() == 1 ? transient("once") : delivered();
            },
            soon());
        to.on("book.a", "office.book", [](const event& e, transaction& tx) {
            tx.exec("insert into effect values ($1)", e.id());
        });
    }
    // Only the worker uses libpq here.
    bool breaks(int nth) {
        const auto seen = std::make_shared<observer>();
        auto chosen = quick();
        chosen.sink = seen;
        const failing_libpq fault(nth, GetParam());
        worker office(chosen);
        add_handlers(office);
        office.start();
        EXPECT_TRUE(seen->wait_done(3)) << "call " << nth << "\n" << seen->said();
        office.request_stop();
        office.wait();
        return fault.fired();
    }
    // A broken connection costs about a second, which is too much for all calls in every run of the
    // tests: POSTRIDER_EVERY_CALL=1 breaks each, otherwise each mode breaks some.
    static int stride() { return std::getenv("POSTRIDER_EVERY_CALL") != nullptr ? 1 : 47; }
};

TEST_P(worker_libpq, everything_is_delivered_whichever_call_breaks) {
    int nth = stride() == 1 ? 1 : 5 + 15 * static_cast<int>(GetParam());
    bool fired = true;
    for (int rounds = 1; fired && nth < 1000; ++rounds, nth += stride()) {
        session.exec(
            "select postrider.publish(kind)"
            " from unnest(array['plain.a', 'flaky.a', 'book.a']) kind");
        fired = breaks(nth);
        const auto all = std::to_string(3 * rounds);
        EXPECT_EQ(value("select count(*) filter (where status = 'delivered') || ' of ' ||"
                        " count(*) from postrider.outbox"),
                  all + " of " + all)
            << "call " << nth;
        EXPECT_EQ(value("select count(*) || ' ' || count(distinct key) from effect"),
                  std::to_string(rounds) + " " + std::to_string(rounds))
            << "call " << nth;
        if (HasFailure()) {
            break;
        }
    }
    EXPECT_GT(nth, 20);
    RecordProperty("calls", nth);
}

INSTANTIATE_TEST_SUITE_P(wherever_it_breaks, worker_libpq,
                         testing::Values(broken::before, broken::answer, broken::after),
                         [](const auto& chosen) { return name_of(chosen.param); });

}  // namespace
}  // namespace postrider::test
