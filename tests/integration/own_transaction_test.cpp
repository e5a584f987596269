#include <gtest/gtest.h>

#include <postrider/postrider.hpp>

#include "client/transaction_state.hpp"
#include "support/test_database.hpp"

// postrider::connection, rows and transaction: the API for programs without their own driver.
namespace postrider {
namespace {

using test::test_database;

class own_transaction_test : public ::testing::Test {
  protected:
    void SetUp() override {
        reader_.exec(
            "create table orders (id int primary key, note text, price float8, done bool)");
    }
    int orders() { return reader_.exec("select count(*) from orders").get<int>(0, 0); }
    void end_backend(transaction& work) {
        const auto pid = work.exec("select pg_backend_pid()");
        reader_.exec("select pg_terminate_backend(" + std::string(pid.text(0, 0)) + ", 10000)");
    }

    test_database database_;
    pg::connection reader_ = database_.connect();
    connection connection_{database_.conninfo()};
};

TEST_F(own_transaction_test, parameters_of_every_kind_arrive_exactly) {
    transaction work(connection_);
    const std::optional<int> nothing;
    const auto inserted = work.exec("insert into orders values ($1, $2, $3, $4), ($5, $6, $7, $8)",
                                    1, "it's \"new\"", 0.1, true, 2LL, nullptr, 1e-7, nothing);
    EXPECT_EQ(inserted.affected(), 2);
    EXPECT_TRUE(inserted.empty());
    const auto rows = work.exec("select note, price, done from orders order by id");
    ASSERT_EQ(rows.size(), 2);
    EXPECT_EQ(rows.columns(), 3);
    EXPECT_EQ(rows.text(0, 0), "it's \"new\"");
    EXPECT_EQ(rows.text(0, 1), "0.1");
    EXPECT_EQ(rows.text(0, 2), "t");
    EXPECT_TRUE(rows.is_null(1, 0));
    EXPECT_EQ(rows.get(1, 0), std::nullopt);
    EXPECT_EQ(rows.get(1, 1), "1e-07");
    EXPECT_EQ(rows.get(7, 7), std::nullopt) << "outside of the rows is nothing";
    EXPECT_EQ(postrider::rows().size(), 0);
}

TEST_F(own_transaction_test, leaving_without_commit_rolls_back) {
    { transaction(connection_).exec("insert into orders (id) values (1)"); }
    EXPECT_EQ(orders(), 0);
    transaction work(connection_);
    work.exec("insert into orders (id) values (1)");
    work.commit();
    EXPECT_EQ(orders(), 1);
}

TEST_F(own_transaction_test, one_transaction_at_a_time) {
    transaction work(connection_);
    EXPECT_THROW(transaction again(connection_), usage_error);
    work.exec("insert into orders (id) values (1)");
    work.commit();
    EXPECT_EQ(orders(), 1);
}

TEST_F(own_transaction_test, nothing_is_possible_after_its_end) {
    transaction work(connection_);
    work.commit();
    EXPECT_THROW(work.exec("select 1"), usage_error);
    EXPECT_THROW(work.commit(), usage_error);
    EXPECT_THROW(work.rollback(), usage_error);
    EXPECT_THROW(publish(work, {.event_type = "a"}), usage_error);
    EXPECT_THROW(publish_many(work, std::vector<message>{{.event_type = "a"}}), usage_error);
    EXPECT_EQ(reader_.exec("select count(*) from postrider.message").get<int>(0, 0), 0);
}

TEST_F(own_transaction_test, a_statement_that_ends_the_transaction_is_an_error) {
    transaction work(connection_);
    EXPECT_THROW(work.exec("commit"), usage_error);
    EXPECT_THROW(work.exec("select 1"), usage_error);
}

TEST_F(own_transaction_test, a_zero_byte_does_not_cut_a_statement) {
    transaction work(connection_);
    EXPECT_THROW(work.exec(std::string("select 1\0; drop table orders", 27)), usage_error);
}

TEST_F(own_transaction_test, a_copy_is_refused_with_the_alternative) {
    for (const auto* sql : {"copy orders to stdout", "copy (select 1) to stdout; select 1",
                            "copy orders from stdin"}) {
        transaction work(connection_);
        try {
            work.exec(sql);
            ADD_FAILURE() << "copied: " << sql;
        } catch (const usage_error& problem) {
            EXPECT_NE(std::string(problem.what()).find("use select and insert"), std::string::npos)
                << problem.what();
        }
    }
}

TEST_F(own_transaction_test, a_refused_copy_out_does_not_affect_later_statements) {
    transaction work(connection_);
    work.exec("insert into orders (id) select generate_series(1, 10000)");
    EXPECT_THROW(work.exec("copy orders to stdout"), usage_error);
    publish(work, {.event_type = "a"});
    work.commit();
    EXPECT_EQ(orders(), 10'000);
}

TEST_F(own_transaction_test, committing_after_a_failed_statement_is_known_to_have_failed) {
    transaction work(connection_);
    EXPECT_THROW(work.exec("select 1/0"), error);
    try {
        work.commit();
        FAIL() << "committed";
    } catch (const error& problem) {
        EXPECT_FALSE(problem.commit_unknown());
    }
}

TEST_F(own_transaction_test, a_connection_lost_at_commit_leaves_the_outcome_unknown) {
    transaction work(connection_);
    publish(work, {.event_type = "a"});
    end_backend(work);
    EXPECT_THROW(work.commit(), commit_unknown_error);
}

TEST_F(own_transaction_test,
       work_with_a_key_of_its_own_is_repeated_safely_after_a_commit_in_doubt) {
    const auto place = [&](bool lose) {
        connection database(database_.conninfo());
        transaction work(database);
        if (work.exec("insert into orders (id) values (42) on conflict do nothing").affected() ==
            1) {
            publish(work, {.event_type = "order.placed", .idempotency_key = "order.placed 42"});
        }
        if (lose) {
            end_backend(work);
        }
        work.commit();
    };
    EXPECT_THROW(place(true), commit_unknown_error);
    place(false);
    place(false);
    EXPECT_EQ(orders(), 1);
    EXPECT_EQ(reader_.exec("select count(*) from postrider.message").get<int>(0, 0), 1);
}

TEST_F(own_transaction_test, inside_a_handler_the_worker_ends_it) {
    auto session = database_.connect();
    transaction work(
        std::make_unique<transaction::state>(session, transaction::state::owner::worker));
    work.exec("insert into orders (id) values (1)");
    EXPECT_THROW(work.commit(), usage_error);
    EXPECT_THROW(work.rollback(), usage_error);
    work.internals().work.commit();
    EXPECT_EQ(orders(), 1);
}

}  // namespace
}  // namespace postrider
