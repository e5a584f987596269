// Workers of a consumer that is ordered by key.
#include <atomic>
#include <memory>
#include <postrider/postrider.hpp>
#include <random>
#include <thread>

#include "support/turnstile.hpp"
#include "worker/ordering/order_ledger.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class ordering : public worker_fixture {
  protected:
    static constexpr int accounts = 5;

    worker_options ordered(ordering_policy policy = ordering_policy::hold()) const {
        auto made = options();
        made.ordering = std::move(policy);
        return made;
    }
    void keyed(const std::string& key, const std::string& type = "changed") {
        publish(type, "p_ordering_key => '" + key + "'");
    }
    void make_accounts() {
        session.exec("create table public.account (id int primary key, version int not null)");
        session.exec("insert into public.account select n, 0 from generate_series(1, " +
                     std::to_string(accounts) + ") n");
    }
    /// Changes accounts in random transactions: some get their transaction id long before they lock
    /// an account, some change several accounts, some are rolled back.
    void change_accounts(unsigned seed, int transactions) {
        auto on = database.connect();
        std::minstd_rand random(seed);
        for (int n = 0; n < transactions; ++n) {
            on.exec("begin");
            if (random() % 2 == 0) {
                on.exec("select pg_current_xact_id()");
                on.exec("select pg_sleep(0.00" + std::to_string(random() % 10) + ")");
            }
            int first = static_cast<int>(random() % accounts) + 1;
            for (; first <= accounts; first += 1 + static_cast<int>(random() % accounts)) {
                on.exec(
                    "with changed as (update public.account set version = version + 1"
                    " where id = " +
                    std::to_string(first) +
                    " returning id, version)"
                    " select postrider.publish('changed', to_jsonb(version),"
                    " p_ordering_key => id::text) from changed");
            }
            on.exec(random() % 8 == 0 ? "rollback" : "commit");
        }
    }
};

/// Random transactions over a few accounts, and workers that see each account's changes.
class ordering_of_commits : public ordering {
  protected:
    void SetUp() override { make_accounts(); }
    void change_all(int sessions, int transactions) {
        std::vector<std::jthread> publishers;
        for (int n = 0; n < sessions; ++n) {
            publishers.emplace_back(
                [this, seed = ++seeds_, transactions] { change_accounts(seed, transactions); });
        }
    }
    /// Every seventh run fails.
    void start_worker() {
        auto patient = soon();
        patient.max_attempts = 100;
        auto& made = workers_.emplace_back(std::make_unique<worker>(ordered()));
        made->on(
            "changed", "office.book",
            [this](const event& change, context&) {
                const std::string key(change.ordering_key().value_or(""));
                seen.begin(key);
                const bool fails = ++runs_ % 7 == 0;
                seen.end(key, std::stoi(std::string(change.payload())), !fails);
                return fails ? transient("test", "now and then") : delivered();
            },
            patient);
        made->start();
    }
    void finish() {
        const auto published = value("select sum(version) from public.account");
        EXPECT_TRUE(becomes(
            published, "select count(*) from postrider.outbox where status = 'delivered'", 60s));
        for (const auto& each : workers_) {
            each->request_stop();
        }
        for (const auto& each : workers_) {
            each->wait();
        }
        EXPECT_EQ(std::to_string(seen.handled()), published);
        EXPECT_EQ(seen.overlaps(), 0);
        EXPECT_EQ(value("select count(*) from postrider.follower"), "0");
        EXPECT_EQ(value("select count(*) from postrider.blocked_keys"), "0");
    }

    order_ledger seen;

  private:
    std::atomic<unsigned> runs_ = 0;
    unsigned seeds_ = 0;
    std::vector<std::unique_ptr<worker>> workers_;
};

TEST_F(ordering_of_commits, random_transactions_are_seen_in_their_order) {
    start_worker();
    start_worker();
    change_all(4, 60);
    finish();
    EXPECT_EQ(seen.inversions(), 0);
}

TEST_F(ordering_of_commits, random_transactions_of_a_backlog_are_seen_in_their_order) {
    session.exec("select postrider.create_consumer('office', p_ordering => 'hold')");
    change_all(6, 100);
    for (int n = 0; n < 3; ++n) {
        start_worker();
        change_all(4, 10);
    }
    finish();
    EXPECT_EQ(seen.inversions(), 0);
    EXPECT_GT(std::stoi(value("select max(n) from (select count(*) as n from postrider.lease l,"
                              " unnest((l.taken).keys) as k group by l.id, k) c")),
              1)
        << "chains";
}

// Order needs sequence numbers that are not taken in advance; also shows that these tests detect
// inversions.
TEST_F(ordering_of_commits, sessions_that_take_numbers_in_advance_break_the_order) {
    session.exec("alter sequence postrider.message_seq_seq cache 64");
    session.exec("select postrider.create_consumer('office', p_ordering => 'hold')");
    change_all(6, 20);
    start_worker();
    finish();
    EXPECT_GT(seen.inversions(), 0);
}

TEST_F(ordering, a_key_that_runs_for_long_delays_no_other) {
    worker office(ordered());
    turnstile stuck;
    std::atomic<int> others = 0;
    std::atomic<int> behind = 0;
    office.on("changed", "office.book", [&](const event& change, context&) {
        if (change.ordering_key() == "stuck") {
            ++behind;
            stuck.pass();
        } else {
            ++others;
        }
    });
    office.start();
    ASSERT_TRUE(asleep());
    keyed("stuck");
    keyed("stuck");
    ASSERT_TRUE(stuck.wait_for(1));
    for (int n = 0; n < 50; ++n) {
        keyed("key " + std::to_string(n % 5));
    }
    EXPECT_TRUE(becomes("50", "select count(*) from postrider.outbox where status = 'delivered'"));
    EXPECT_EQ(behind, 1);
    EXPECT_EQ(value("select key || ' ' || status || ' ' || followers from postrider.blocked_keys"),
              "stuck in_flight 1");
    stuck.open();
    EXPECT_TRUE(becomes("52", "select count(*) from postrider.outbox where status = 'delivered'"));
    office.request_stop();
    office.wait();
    EXPECT_EQ(others, 50);
}

TEST_F(ordering, a_dead_letter_holds_its_key_until_it_is_replayed) {
    worker office(ordered());
    std::atomic<bool> broken = true;
    std::atomic<int> runs = 0;
    office.on("changed", "office.book", [&](const event&, context&) {
        ++runs;
        return broken ? terminal("test", "broken") : delivered();
    });
    office.start();
    ASSERT_TRUE(asleep());
    keyed("a");
    keyed("a");
    keyed("a");
    EXPECT_TRUE(becomes("a failed 2",
                        "select key || ' ' || status || ' ' || followers"
                        " from postrider.blocked_keys"));
    EXPECT_EQ(runs, 1);
    broken = false;
    session.exec("select postrider.outbox_replay(id, null, 'test') from postrider.blocked_keys");
    EXPECT_TRUE(becomes("3", "select count(*) from postrider.outbox where status = 'delivered'"));
    office.request_stop();
    office.wait();
    EXPECT_EQ(runs, 4);
}

TEST_F(ordering, a_hold_ends_after_its_time) {
    auto quick = ordered(ordering_policy::hold_for(50ms));
    quick.heartbeat_timeout = 1s;  // and so soon maintenance
    worker office(quick);
    std::atomic<int> runs = 0;
    office.on("changed", "office.book", [&](const event&, context&) {
        return ++runs == 1 ? terminal("test", "broken") : delivered();
    });
    office.start();
    ASSERT_TRUE(asleep());
    keyed("a");
    keyed("a");
    EXPECT_TRUE(becomes("1 delivered,1 failed",
                        "select string_agg(n || ' ' || status, ',' order by status) from (select"
                        " status, count(*) as n from postrider.outbox group by 1) s",
                        60s));
    office.request_stop();
    office.wait();
}

}  // namespace
}  // namespace postrider::test
