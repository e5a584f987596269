// Workers of a consumer that is ordered by key.
#include <atomic>
#include <postrider/postrider.hpp>
#include <random>
#include <thread>

#include "support/turnstile.hpp"
#include "worker/order_ledger.hpp"
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
    /// Changes accounts in random transactions: some have their transaction id long before they
    /// take the lock of an account, some change several accounts, some are rolled back.
    void change_accounts(unsigned seed, int transactions) {
        auto on = database.connect();
        std::minstd_rand dice(seed);
        for (int n = 0; n < transactions; ++n) {
            on.exec("begin");
            if (dice() % 2 == 0) {
                on.exec("select pg_current_xact_id()");
                on.exec("select pg_sleep(0.00" + std::to_string(dice() % 10) + ")");
            }
            int first = static_cast<int>(dice() % accounts) + 1;
            for (; first <= accounts; first += 1 + static_cast<int>(dice() % accounts)) {
                on.exec(
                    "with changed as (update public.account set version = version + 1"
                    " where id = " +
                    std::to_string(first) +
                    " returning id, version)"
                    " select postrider.publish('changed', to_jsonb(version),"
                    " p_ordering_key => id::text) from changed");
            }
            on.exec(dice() % 8 == 0 ? "rollback" : "commit");
        }
    }
};

TEST_F(ordering, random_transactions_are_seen_in_the_order_of_their_commits) {
    make_accounts();
    order_ledger seen;
    std::atomic<unsigned> failures = 0;
    const auto handle = [&](const event& change, context&) {
        const std::string key(change.ordering_key().value_or(""));
        seen.begin(key);
        const bool fails = ++failures % 7 == 0;
        seen.end(key, std::stoi(std::string(change.payload())), !fails);
        return fails ? transient("test", "now and then") : delivered();
    };
    worker one(ordered());
    worker two(ordered());
    auto patient = soon();
    patient.max_attempts = 100;
    for (auto* each : {&one, &two}) {
        each->on("changed", "office.book", handle, patient);
        each->start();
    }
    {
        std::vector<std::jthread> publishers;
        for (unsigned seed = 1; seed <= 4; ++seed) {
            publishers.emplace_back([this, seed] { change_accounts(seed, 60); });
        }
    }
    const auto published = value("select sum(version) from public.account");
    EXPECT_TRUE(becomes(published,
                        "select count(*) from postrider.outbox where status = 'delivered'", 60s));
    for (auto* each : {&one, &two}) {
        each->request_stop();
        each->wait();
    }
    EXPECT_EQ(std::to_string(seen.handled()), published);
    EXPECT_EQ(seen.inversions(), 0);
    EXPECT_EQ(seen.overlaps(), 0);
    EXPECT_EQ(value("select count(*) from postrider.follower"), "0");
    EXPECT_EQ(value("select count(*) from postrider.blocked_keys"), "0");
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
