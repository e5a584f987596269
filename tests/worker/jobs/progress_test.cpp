// Progress and results that handlers record.
#include <gtest/gtest.h>

#include <atomic>
#include <postrider/error.hpp>
#include <postrider/postrider.hpp>

#include "support/turnstile.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

class progressing : public worker_fixture {
  protected:
    static constexpr const char* recorded =
        "select string_agg(concat_ws(' ', handler, fraction, text, result), ', ' order by handler,"
        " fraction) from postrider.progress";
};

TEST_F(progressing, progress_is_there_while_the_handler_runs_and_the_result_when_it_has_ended) {
    worker office(options());
    turnstile halfway;
    office.on("job", "office.job", [&](const event&, context& ctx) {
        ctx.progress(0.25);
        ctx.progress(0.5, "page 2 of 4");
        halfway.pass();
        ctx.progress(1);
        ctx.result(R"({"pages": 4})");
    });
    office.start();
    publish("job");
    ASSERT_TRUE(halfway.wait_for(1));
    EXPECT_TRUE(becomes("office.job 0.5 page 2 of 4", recorded));
    halfway.open();
    ASSERT_TRUE(becomes("1", "select count(*) from postrider.outbox where status = 'delivered'"));
    office.request_stop();
    office.wait();
    EXPECT_EQ(value(recorded), "office.job 1 page 2 of 4 {\"pages\": 4}");
}

TEST_F(progressing, a_job_that_records_nothing_has_no_row_and_many_results_are_all_there) {
    worker office(options());
    office.on("silent", "office.silent", [](const event&) {});
    office.on("job", "office.job", [](const event& e, context& ctx) { ctx.result(e.payload()); });
    office.drain();
    session.exec("select postrider.publish('job', to_jsonb(n)) from generate_series(1, 700) n");
    publish("silent");
    EXPECT_EQ(office.drain(), 701);
    EXPECT_EQ(value("select count(*) || ' ' || sum(result::text::int) from postrider.progress"),
              "700 245350");
}

TEST_F(progressing, a_retry_records_as_a_delivery) {
    worker office(options());
    office.on(
        "job", "office.job",
        [](const event&, context& ctx) {
            ctx.progress(0.1 * ctx.attempts(), "attempt " + std::to_string(ctx.attempts()));
            return ctx.attempts() < 3 ? transient("not yet", "early") : delivered();
        },
        soon());
    office.drain();
    publish("job");
    EXPECT_EQ(office.drain(), 3);
    EXPECT_EQ(value(recorded), "office.job 0.3 attempt 3");
}

TEST_F(progressing, a_batch_handler_records_for_each_event) {
    worker office(options());
    office.on("job", "office.batch", [](std::span<const event> all, context& ctx) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            ctx.result(all[i].payload(), i);
        }
    });
    office.drain();
    session.exec("select postrider.publish('job', to_jsonb(n)) from generate_series(1, 3) n");
    EXPECT_EQ(office.drain(), 3);
    EXPECT_EQ(value("select string_agg(result::text, ',' order by result::text) from"
                    " postrider.progress p join postrider.message m on m.id = p.id"
                    " and m.payload::text = p.result::text"),
              "1,2,3");
}

TEST_F(progressing, values_that_cannot_be_recorded_are_refused_or_cut) {
    worker office(options());
    std::atomic<int> refused = 0;
    office.on("job", "office.job", [&](const event&, context& ctx) {
        for (const auto& bad : {std::string("{"), std::string(16385, '1'), std::string()}) {
            try {
                ctx.result(bad);
            } catch (const usage_error&) {
                ++refused;
            }
        }
        ctx.progress(7, std::string(998, 'x') + "\xff" + "éé");
    });
    office.drain();
    publish("job");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(refused, 3);
    EXPECT_EQ(value("select fraction || ' ' || length(text) || right(text, 1)"
                    " from postrider.progress"),
              "1 999?");
}

TEST_F(progressing, a_job_that_was_lost_records_nothing_and_the_worker_goes_on) {
    worker office(options());
    turnstile running;
    office.on("job", "office.job", [&](const event&, context& ctx) {
        running.pass();
        ctx.result("1");
    });
    office.start();
    publish("job");
    ASSERT_TRUE(running.wait_for(1));
    session.exec("select postrider.cancel('{\"consumer\": \"office\"}', 'test', 'a test')");
    running.open();
    publish("job");
    ASSERT_TRUE(becomes("1", "select count(*) from postrider.outbox where status = 'delivered'"));
    office.request_stop();
    office.wait();
    EXPECT_EQ(value("select count(*) from postrider.progress"), "1");
}

}  // namespace
}  // namespace postrider::test
