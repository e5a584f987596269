#include "support/faults/failing_libpq.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <postrider/error.hpp>
#include <string>
#include <vector>

#include "base/encoding/uuid.hpp"
#include "pg/pipeline.hpp"
#include "pg/transaction.hpp"
#include "store/messages/copy_messages.hpp"
#include "store/messages/publish.hpp"
#include "store/work/deliveries.hpp"
#include "store/work/exchange.hpp"
#include "store/work/settle.hpp"
#include "store/work/workers.hpp"
#include "support/eventually.hpp"
#include "support/test_database.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class failing_libpq_test : public testing::TestWithParam<broken> {
  protected:
    void SetUp() override {
        store::register_worker(
            direct_,
            {.worker = worker_, .consumer = "shop", .handlers = {{"shop.ship", {"order.*"}}}});
        store::prepare_exchange(direct_);
        store::prepare_due(direct_);
    }
    int count(const std::string& condition) {
        return direct_.exec("select count(*)::int from postrider.outbox where " + condition)
            .get<int>(0, 0);
    }
    // Handles the remaining messages as another worker would, until none is left.
    bool drain() {
        store::reap(direct_);
        if (const auto batch = store::exchange(direct_, {.worker = worker_, .limit = 100});
            batch.lease()) {
            store::settle(direct_, worker_, batch.held_lease());
        }
        const auto due = store::claim_due(direct_, {.worker = worker_, .limit = 100});
        std::vector<store::delivery_outcome> done;
        for (int i = 0; i < due.size(); ++i) {
            done.push_back({.delivery_id = due[i].delivery_id(),
                            .lease_token = due[i].lease_token(),
                            .how = store::outcome::delivered});
        }
        store::settle_due(direct_, worker_, done);
        return count("status <> 'delivered'") == 0;
    }

    test_database database_;
    pg::connection direct_ = database_.connect();
    const uuid worker_ = uuid::random();
    const std::vector<store::new_message> orders_ =
        std::vector<store::new_message>(3, {.event_type = "order.placed"});
};

INSTANTIATE_TEST_SUITE_P(wherever_it_breaks, failing_libpq_test,
                         testing::Values(broken::before, broken::answer, broken::after),
                         [](const auto& chosen) { return name_of(chosen.param); });

TEST_P(failing_libpq_test, exactly_the_nth_call_breaks) {
    auto session = database_.connect();
    const failing_libpq fault(3, GetParam());
    session.exec("select 1");
    session.exec("select 2");
    EXPECT_FALSE(fault.fired());
    if (GetParam() == broken::after) {
        session.exec("select 3");
    }
    EXPECT_THROW(session.exec("select 4"), connection_error);
    EXPECT_TRUE(fault.fired());
    EXPECT_FALSE(session.alive());
    session.reconnect();
    EXPECT_EQ(session.exec("select 5").get<int>(0, 0), 5);
}

TEST_P(failing_libpq_test, a_request_arrives_unless_the_call_broke_before_it) {
    auto session = database_.connect();
    session.exec("create table mark (n int)");
    {
        const failing_libpq fault(1, GetParam());
        try {
            session.exec("insert into mark values (1)");
        } catch (const connection_error&) {
            EXPECT_NE(GetParam(), broken::after);
        }
    }
    const auto marked = [&] { return direct_.exec("select from mark").rows() == 1; };
    EXPECT_EQ(
        GetParam() != broken::before,
        eventually(marked, GetParam() == broken::before ? 0ms : std::chrono::milliseconds(20s)));
}

TEST_P(failing_libpq_test, the_result_that_publish_reports_is_the_outcome_of_the_transaction) {
    uuid id;
    std::optional<bool> committed;
    const auto publish = [&] {
        id = uuid::time_ordered();
        committed = false;
        try {
            auto session = database_.connect();
            pg::transaction work(session);
            store::publish(session, {.event_type = "order.placed", .id = id});
            work.commit();
            committed = true;
        } catch (const commit_unknown_error&) {
            committed = std::nullopt;
        } catch (const connection_error& problem) {
            EXPECT_TRUE(problem.retryable());
        }
    };
    const auto check = [&] {
        const auto there = [&] { return count("id = '" + id.text() + "'") == 1; };
        if (committed) {
            EXPECT_EQ(there(), *committed);
        } else if (GetParam() == broken::answer) {
            EXPECT_TRUE(eventually(there));
        } else {
            EXPECT_FALSE(there());
        }
    };
    EXPECT_EQ(break_every_call(GetParam(), publish, check), 4);  // connect, begin, publish, commit
}

TEST_P(failing_libpq_test, a_broken_copy_leaves_all_or_nothing_behind) {
    std::int64_t reported = 0;
    const auto copy = [&] {
        try {
            auto session = database_.connect();
            reported += store::copy_messages(session, orders_);
        } catch (const connection_error&) {
            // The result is unknown here; the check finds out.
        }
    };
    const auto check = [&] {
        EXPECT_EQ(count("true") % 3, 0);
        EXPECT_GE(count("true"), reported);
    };
    EXPECT_GE(break_every_call(GetParam(), copy, check), 4);
}

TEST_P(failing_libpq_test, a_broken_pipeline_is_found_out) {
    const auto calls = break_every_call(
        GetParam(),
        [&] {
            try {
                auto session = database_.connect();
                pg::pipeline batch(session);
                batch.send("select 1", {});
                batch.send("select 2", {});
                batch.sync();
                EXPECT_EQ(batch.receive().get<int>(0, 0), 1);
                EXPECT_EQ(batch.receive().get<int>(0, 0), 2);
                batch.receive_sync();
            } catch (const connection_error& problem) {
                EXPECT_TRUE(problem.connection_lost());
            }
        },
        [] {});
    EXPECT_GE(calls, 7);
}

TEST_P(failing_libpq_test, every_message_is_delivered_after_any_broken_exchange) {
    std::int64_t published = 0;
    const auto work = [&] {
        try {
            auto session = database_.connect();
            store::prepare_exchange(session);
            store::exchange_request request{.worker = worker_, .limit = 2, .deadline = 1ms};
            const auto batch = store::exchange(session, request);
            request.lease = batch.lease();
            store::exchange(session, request);
        } catch (const connection_error& problem) {
            EXPECT_TRUE(problem.connection_lost());
        }
    };
    const auto check = [&] {
        published += store::copy_messages(direct_, orders_);
        EXPECT_TRUE(eventually([&] { return drain(); }));
        EXPECT_EQ(count("true"), published);
        published += store::copy_messages(direct_, orders_);
    };
    EXPECT_GE(break_every_call(GetParam(), work, check), 4);
}

TEST_P(failing_libpq_test, a_cancellation_that_does_not_arrive_says_so) {
    auto session = database_.connect();
    const failing_libpq fault(1, GetParam());
    if (GetParam() == broken::after) {
        session.cancel();
    } else {
        EXPECT_THROW(session.cancel(), error);
    }
    EXPECT_EQ(fault.calls(), 1);
}

}  // namespace
}  // namespace postrider::test
