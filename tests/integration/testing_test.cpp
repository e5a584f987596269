#include <postrider/publish.hpp>
#include <postrider/testing.hpp>

#include "support/test_database.hpp"

// postrider::testing would hide it inside of namespace postrider.
#include <gtest/gtest.h>

namespace {

namespace pt = postrider::testing;
using postrider::event;
using postrider::message;
using postrider::outcome_kind;
using postrider::transaction;

class transactional_testing : public ::testing::Test {
  protected:
    void SetUp() override { reader_.exec("create table effect (key text)"); }
    int count(const std::string& table) {
        return reader_.exec("select count(*) from " + table).get<int>(0, 0);
    }

    postrider::test::test_database database_;
    postrider::pg::connection reader_ = database_.connect();
    postrider::connection connection_{database_.conninfo()};
    const message order_{.event_type = "order.placed", .idempotency_key = "order 42"};
};

const auto effect = [](const event& e, transaction& work) {
    work.exec("insert into effect values ($1)", e.idempotency_key());
    postrider::publish(work, {.event_type = "order.shipped"});
};

TEST_F(transactional_testing, a_run_leaves_nothing_behind_unless_it_is_asked_to) {
    EXPECT_TRUE(pt::run(effect, order_, connection_).how.ok());
    EXPECT_EQ(count("effect") + count("postrider.message"), 0);
    EXPECT_TRUE(pt::run(effect, order_, connection_, pt::ending::commit).how.ok());
    EXPECT_EQ(count("effect"), 1);
    EXPECT_EQ(count("postrider.message"), 1);
}

TEST_F(transactional_testing, a_second_run_is_a_duplicate_as_in_a_worker) {
    pt::run(effect, order_, connection_, pt::ending::commit);
    const auto again = pt::run(effect, order_, connection_, pt::ending::commit);
    EXPECT_TRUE(again.how.ok());
    EXPECT_TRUE(again.duplicate);
    EXPECT_EQ(count("effect"), 1);
    const auto other =
        pt::run(effect, order_, connection_, pt::ending::commit, {.name = "test.another_handler"});
    EXPECT_FALSE(other.duplicate);
    EXPECT_EQ(count("effect"), 2);
    const auto elsewhere =
        pt::run(effect, order_, connection_, pt::ending::commit, {.consumer = "another"});
    EXPECT_FALSE(elsewhere.duplicate);
    auto from_the_mill = order_;
    from_the_mill.source = "mill";
    EXPECT_FALSE(pt::run(effect, from_the_mill, connection_, pt::ending::commit).duplicate);
    EXPECT_EQ(count("effect"), 4);
}

TEST_F(transactional_testing, a_run_that_fails_has_no_effect) {
    const auto ran = pt::run(
        [](const event& e, transaction& work, postrider::context&) {
            effect(e, work);
            throw std::runtime_error("after all");
        },
        order_, connection_, pt::ending::commit);
    EXPECT_EQ(ran.how.kind, outcome_kind::transient);
    EXPECT_EQ(count("effect") + count("postrider.event_handled"), 0);
}

TEST_F(transactional_testing, errors_of_the_database_are_classified) {
    reader_.exec("alter table effect add unique (key)");
    reader_.exec("insert into effect values ('order 42')");
    const auto ran = pt::run(effect, order_, connection_);
    EXPECT_EQ(ran.how.kind, outcome_kind::terminal);
    EXPECT_EQ(ran.how.error_class, "sqlstate:23505");
}

TEST_F(transactional_testing, a_constraint_checked_at_commit_is_found_without_committing) {
    reader_.exec("alter table effect add unique (key) deferrable initially deferred");
    reader_.exec("insert into effect values ('order 42')");
    const auto ran = pt::run(effect, order_, connection_);
    EXPECT_EQ(ran.how.kind, outcome_kind::terminal);
    EXPECT_EQ(ran.how.error_class, "sqlstate:23505");
}

TEST_F(transactional_testing, a_failed_statement_that_was_swallowed_is_found_without_committing) {
    const auto careless = [](const event&, transaction& work) {
        try {
            work.exec("select 1 / 0");
        } catch (const postrider::error&) {
        }
    };
    for (const auto then : {pt::ending::roll_back, pt::ending::commit}) {
        const auto ran = pt::run(careless, order_, connection_, then);
        EXPECT_EQ(ran.how.kind, outcome_kind::transient);
        EXPECT_EQ(ran.how.error_class, "sqlstate:25P02");
    }
}

TEST_F(transactional_testing, the_handler_must_leave_the_commit_to_the_worker) {
    const auto ran =
        pt::run([](const event&, transaction& work) { work.commit(); }, order_, connection_);
    EXPECT_EQ(ran.how.error_class, "postrider::usage_error");
}

}  // namespace
