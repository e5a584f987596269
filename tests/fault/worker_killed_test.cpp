// Worker processes that die at the worst moment. The next worker finishes everything.
#include <gtest/gtest.h>

#include <csignal>

#include "support/eventually.hpp"
#include "support/process.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

constexpr int killed = 128 + SIGKILL;

class worker_killed : public worker_fixture,
                      public testing::WithParamInterface<std::pair<const char*, int>> {
  protected:
    void SetUp() override {
        session.exec("create table public.effect (key text)");
        session.exec("create table public.run (key text)");
        session.exec("select postrider.create_consumer('office')");
    }
    const std::string keeper_pid =
        "select pid from pg_locks where locktype = 'advisory' and granted and classid = 1886351203"
        " and database = (select oid from pg_database where datname = current_database())";
    process start(const std::string& faults = "") {
        return process({POSTRIDER_WORKER_PROGRAM, database.conninfo()},
                       {{"POSTRIDER_FAULTS", faults}});
    }
    static bool has_died(process& victim) {
        try {
            return victim.wait(20ms) == killed;
        } catch (const std::exception&) {
            return false;
        }
    }
    void finish_everything(int messages) {
        auto survivor = start();
        EXPECT_TRUE(becomes(std::to_string(messages),
                            "select count(*) from postrider.outbox where status = 'delivered'"));
        survivor.wait_for_line("started");
        survivor.kill(SIGTERM);
        EXPECT_EQ(survivor.wait(), 0) << survivor.output();
        EXPECT_EQ(value("select count(*) from postrider.outbox"), std::to_string(messages));
    }
};

TEST_P(worker_killed, nothing_is_lost_and_effects_happen_once) {
    constexpr int of_each = 8;
    session.exec("select postrider.publish(kind) from generate_series(1, " +
                 std::to_string(of_each) + "), unnest(array['plain.a', 'book.a']) kind");
    const auto [place, passing] = GetParam();
    {
        auto victim = start(std::string(place) + ":kill:" + std::to_string(passing));
        EXPECT_EQ(victim.wait(), killed) << victim.output();
    }
    finish_everything(2 * of_each);
    const auto all = std::to_string(of_each);
    EXPECT_EQ(value("select count(*) || ' ' || count(distinct key) from effect"), all + " " + all);
    EXPECT_EQ(value("select count(distinct key) from public.run"), all);
}

INSTANTIATE_TEST_SUITE_P(
    wherever_it_dies, worker_killed,
    testing::Values(std::pair{"worker.after_claim", 1}, std::pair{"worker.before_handler", 3},
                    std::pair{"worker.after_handler", 2}, std::pair{"worker.before_settle", 1},
                    std::pair{"worker.after_settle", 1}, std::pair{"transaction.before_commit", 2},
                    std::pair{"transaction.after_commit", 2}),
    [](const auto& chosen) {
        std::string name = chosen.param.first;
        std::ranges::replace(name, '.', '_');
        return name;
    });

// The other worker does not sweep within the time this takes, so it depends on the keeper.
TEST_F(worker_killed, a_stopped_or_killed_keeper_is_replaced_within_five_seconds) {
    for (const int signal : {SIGSTOP, SIGKILL}) {
        auto keeper = start();
        keeper.wait_for_line("started");
        ASSERT_TRUE(asleep());
        auto sleeper = options("other");
        sleeper.sweep = 1h;
        sleeper.poll = 1h;
        worker other(sleeper);
        other.on("*", "other.all", [](const event&) {});
        other.start();
        const auto before = value(keeper_pid);
        const auto runs = watching->runs().size();
        keeper.kill(signal);
        publish("plain.a");
        EXPECT_TRUE(watching->wait_runs(runs + 1));
        EXPECT_TRUE(becomes(
            "1", "select count(*) from (" + keeper_pid + ") k where k.pid <> " + before, 6s));
        publish("plain.a");
        EXPECT_TRUE(watching->wait_runs(runs + 2));
        other.request_stop();
        other.wait();
        keeper.kill(SIGKILL);
        keeper.wait();
    }
}

TEST_F(worker_killed, its_part_of_a_limit_is_free_when_it_is_taken_back) {
    {
        auto first = start();
        first.wait_for_line("started");
        first.kill(SIGTERM);
        EXPECT_EQ(first.wait(), 0) << first.output();
    }
    session.exec("select postrider.set_limit('office', 'office.plain', '{\"concurrency\": 1}')");
    session.exec("select postrider.publish('plain.a') from generate_series(1, 8)");
    {
        auto victim = start("worker.before_handler:kill:3");
        EXPECT_EQ(victim.wait(), killed) << victim.output();
    }
    EXPECT_EQ(value("select running from postrider.limits"), "1") << "the database cannot know";
    finish_everything(8);
    EXPECT_EQ(value("select running + throttled from postrider.limits"), "0");
}

TEST_F(worker_killed, a_message_that_was_taken_back_on_its_way_is_not_begun) {
    publish("plain.a");
    auto stopped = start("worker.after_claim:stop:1");
    EXPECT_TRUE(becomes("1", "select count(*) from postrider.lease where members <> '{}'"));
    auto other = start();
    EXPECT_TRUE(becomes("1", "select count(*) from postrider.outbox where status = 'delivered'"));
    stopped.kill(SIGCONT);
    publish("book.a");
    EXPECT_TRUE(becomes("2", "select count(*) from postrider.outbox where status = 'delivered'"));
    for (auto* one : {&stopped, &other}) {
        one->wait_for_line("started");
        one->kill(SIGTERM);
        EXPECT_EQ(one->wait(), 0) << one->output();
    }
    EXPECT_EQ(value("select count(*) from public.run"), "1");
}

TEST_F(worker_killed, a_poison_message_ends_as_a_dead_letter_and_charges_no_other) {
    session.exec(
        "select postrider.publish(kind) from unnest(array['plain.a', 'book.a', 'poison.a',"
        " 'plain.a', 'book.a']) kind");
    const auto dead = [&] {
        return value("select count(*) from postrider.outbox where status = 'failed'") == "1";
    };
    int deaths = 0;
    while (!dead() && deaths < 8) {
        auto victim = start();
        // At its start it may find that the crashes of its predecessor have reached the limit.
        ASSERT_TRUE(eventually([&] { return has_died(victim) || dead(); })) << victim.output();
        ++deaths;
        // Expires its heartbeat at once.
        session.exec(
            "update postrider.worker set alive_until = clock_timestamp() - interval '1 s'");
        session.exec("select postrider.reap()");
    }
    EXPECT_EQ(value("select event_type || ' ' || crashes from postrider.outbox"
                    " where status = 'failed'"),
              "poison.a 3");
    EXPECT_LE(deaths, 5);
    auto survivor = start();
    EXPECT_TRUE(becomes("1",
                        "select count(*) from postrider.worker"
                        " where alive_until > clock_timestamp()"));
    EXPECT_TRUE(becomes("4", "select count(*) from postrider.outbox where status = 'delivered'"));
    survivor.wait_for_line("started");
    survivor.kill(SIGTERM);
    EXPECT_EQ(survivor.wait(), 0);
    EXPECT_EQ(value("select count(*) || ' ' || count(distinct key) from effect"), "2 2");
}

class worker_killed_with_due : public worker_killed {
  protected:
    void publish_due(const std::string& type, int count, int priority = 1) {
        make_deliveries(type, "office." + type.substr(0, type.find('.')), count, "null", priority);
    }
    /// Noticed without waiting for the heartbeat timeout.
    void reap() {
        session.exec(
            "update postrider.worker set alive_until = clock_timestamp() - interval '1 s'");
        session.exec("select postrider.reap(10000)");
    }
    std::string number(const std::string& condition) {
        return value("select count(*) from postrider.delivery where " + condition);
    }
};

TEST_F(worker_killed_with_due, held_deliveries_are_not_charged_with_the_crash) {
    constexpr int all = 3000;
    publish_due("plain.a", all);
    {
        auto victim = start("worker.after_handler:kill:1500");  // it knows its speed by then
        EXPECT_EQ(victim.wait(), killed) << victim.output();
    }
    EXPECT_GE(std::stoi(number("status = 'in_flight'")), 100);
    reap();
    EXPECT_GE(std::stoi(number("suspect and attempts = 0 and interruptions = 1")), 100);
    EXPECT_EQ(number("crashes > 0"), "0");
    {
        // Only suspects are charged, and only those that the four threads were running.
        auto victim = start("worker.before_handler:kill:6");
        EXPECT_EQ(victim.wait(), killed) << victim.output();
    }
    reap();
    EXPECT_LE(std::stoi(number("crashes > 0")), 4);
    finish_everything(all);
    EXPECT_EQ(value("select count(distinct key) from public.run"), std::to_string(all));
}

TEST_F(worker_killed_with_due, a_poison_delivery_makes_no_dead_letter_of_a_neighbour) {
    publish_due("plain.a", 200);
    publish_due("poison.a", 1, 2);
    int deaths = 0;
    for (; number("status = 'failed'") == "0" && deaths < 8; ++deaths) {
        auto victim = start();
        ASSERT_TRUE(eventually([&] {
            return has_died(victim) || number("status = 'failed'") == "1";
        })) << victim.output();
        reap();
    }
    EXPECT_LE(deaths, 6);
    EXPECT_EQ(value("select string_agg(event_type || ' ' || crashes, ',') from postrider.outbox"
                    " where status = 'failed'"),
              "poison.a 3");
    auto survivor = start();
    EXPECT_TRUE(becomes("200", "select count(*) from postrider.outbox where status = 'delivered'"));
    survivor.wait_for_line("started");
    survivor.kill(SIGTERM);
    EXPECT_EQ(survivor.wait(), 0);
}

}  // namespace
}  // namespace postrider::test
