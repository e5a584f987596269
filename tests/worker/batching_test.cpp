#include <latch>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

class batching : public worker_fixture {
  protected:
    // As many events as a thread would take of single ones.
    static handler_options any_size() {
        auto made = soon();
        made.batch_max = 0;
        return made;
    }
    void publish_many(const std::string& event_type, int count) {
        session.exec("select postrider.publish('" + event_type + "') from generate_series(1, " +
                     std::to_string(count) + ")");
    }
};

TEST_F(batching, a_batch_of_any_size_has_one_number_of_attempts) {
    worker office(options());
    std::vector<std::pair<int, std::size_t>> runs;
    office.on(
        "n.*", "office.batch",
        [&](std::span<const event> all, context& ctx) {
            runs.emplace_back(ctx.attempts(), all.size());
            std::vector<outcome> outcomes;
            for (const auto& e : all) {
                const int needed = e.event_type() == "n.thrice" ? 3 : 2;
                outcomes.push_back(ctx.attempts() < needed ? transient("not yet") : delivered());
            }
            return outcomes;
        },
        any_size());
    EXPECT_EQ(office.drain(), 0);
    publish_many("n.twice", 2);
    publish_many("n.thrice", 2);
    int done = office.drain();
    while (done < 10) {
        session.exec("select pg_sleep(0.002)");  // until the retries are due
        done += office.drain();
    }
    EXPECT_EQ(count("delivered"), "4");
    std::map<int, std::size_t> events;
    for (const auto& [attempts, size] : runs) {
        events[attempts] += size;
    }
    EXPECT_EQ(events, (std::map<int, std::size_t>{{1, 4}, {2, 4}, {3, 2}}));
}

TEST_F(batching, a_fast_handler_gets_many_events_at_once) {
    worker office(options());
    std::size_t largest = 0;
    office.on(
        "n.*", "office.batch",
        [&](std::span<const event> all) { largest = std::max(largest, all.size()); }, any_size());
    EXPECT_EQ(office.drain(), 0);
    publish_many("n.fast", 2000);
    EXPECT_EQ(office.drain(), 2000);
    EXPECT_GT(largest, 8U);
}

TEST_F(batching, an_outcome_that_is_reported_early_does_not_wait_for_its_batch) {
    auto chosen = options();
    chosen.from_beginning = true;
    chosen.concurrency = 1;
    session.exec("select postrider.publish(t) from unnest(array['n.a', 'n.slow', 'n.b']) t");
    std::latch go(1);
    worker office(chosen);
    office.on("n.*", "office.batch", [&](std::span<const event> all, context& ctx) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].event_type() != "n.slow") {
                ctx.report(i, delivered());
                ctx.report(i, terminal("a second report does not count"));
            }
        }
        go.wait();
        // Of events that were reported the returned outcome does not count.
        std::vector<outcome> outcomes(all.size(), terminal("returned"));
        outcomes[1] = delivered();
        return outcomes;
    });
    office.start();
    EXPECT_TRUE(becomes("2", "select count(*) from postrider.outbox where status = 'delivered'"));
    go.count_down();
    EXPECT_TRUE(becomes("3", "select count(*) from postrider.outbox where status = 'delivered'"));
}

TEST_F(batching, an_early_report_waits_for_the_other_handlers_of_its_message) {
    worker office(options());
    office.on("n.*", "office.batch", [](std::span<const event> all, context& ctx) {
        ctx.report(0, terminal("reported early"));
        return std::vector<outcome>(all.size());
    });
    office.on("n.*", "office.other", [](const event&) {});
    EXPECT_EQ(office.drain(), 0);
    publish("n.a");
    EXPECT_EQ(office.drain(), 2);
    EXPECT_EQ(value("select string_agg(handler || ' ' || status, ', ' order by handler)"
                    " from postrider.outbox where status = 'failed'"),
              "office.batch failed");
}

}  // namespace
}  // namespace postrider::test
