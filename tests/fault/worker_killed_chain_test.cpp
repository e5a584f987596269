// Worker processes that die in the middle of a chain: a lease with several messages of one ordering
// key. The order of first deliveries holds, and nothing is lost.
#include <gtest/gtest.h>

#include <csignal>

#include "support/process.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

constexpr int killed_status = 128 + SIGKILL;

class worker_killed_chain : public worker_fixture,
                            public testing::WithParamInterface<std::pair<const char*, int>> {
  protected:
    void SetUp() override {
        session.exec(
            "create table public.change (n bigint generated always as identity, change jsonb)");
    }
    void prepare(const std::string& policy) {
        session.exec("select postrider.create_consumer('office', p_ordering => '" +
                     (policy == "hold_for" ? "2 seconds" : policy) + "')");
        policy_ = policy;
    }
    /// Versions 1, 2, 3 … of each key; version `bad` of every key fails, as `how` says.
    void publish_versions(int keys, int versions, int bad = 0, const std::string& how = "") {
        session.exec(
            "insert into postrider.message (event_type, source, payload, ordering_key)"
            " select 'keyed.a', 'test', jsonb_build_object('key', k, 'version', v) ||"
            " case when v = " +
            std::to_string(bad) + " then '{\"fails\": \"" + how +
            "\"}' else '{}' end::jsonb, 'key ' || k from generate_series(1, " +
            std::to_string(versions) + ") v, generate_series(1, " + std::to_string(keys) +
            ") k order by v, k");
    }
    process start(const std::string& faults = "") {
        return process({POSTRIDER_WORKER_PROGRAM, database.conninfo(), policy_},
                       {{"POSTRIDER_FAULTS", faults}});
    }
    /// The victim dies while it holds a chain of which it has handled some messages, unless the
    /// machine is so slow that it got one message of a key at a time.
    void kill_in_a_chain(const char* place, int passing) {
        auto victim = start(std::string(place) + ":kill:" + std::to_string(passing));
        EXPECT_EQ(victim.wait(), killed_status) << victim.output();
        chains_ += std::stoi(
            value("select count(*) from (select 1 from postrider.lease l, unnest((l.taken).keys) k"
                  " where l.finished_at is null and l.members <> '{}' group by l.id, k"
                  " having count(*) > 1) c"));
    }
    void stop(process& one) {
        one.wait_for_line("started");
        one.kill(SIGTERM);
        EXPECT_EQ(one.wait(), 0) << one.output();
    }
    /// Of the first runs of the versions of each key: how many come before that of a lower one.
    void expect_order() {
        EXPECT_EQ(value("select count(*) from (select v, lag(v) over (partition by k order by n)"
                        " as before from (select change -> 'key' as k,"
                        " (change ->> 'version')::int as v, min(n) as n from public.change"
                        " group by 1, 2) f) o where v < before"),
                  "0")
            << "inversions";
        // A slow machine makes chains of one message.
        RecordProperty("chains_of_killed_workers", chains_);
        EXPECT_EQ(value("select count(*) from postrider.follower"), "0");
    }

    const std::string delivered_versions =
        "select count(*) from postrider.outbox where status = 'delivered'";
    std::string policy_;
    int chains_ = 0;
};

TEST_P(worker_killed_chain, all_is_delivered_and_in_order) {
    prepare("hold");
    publish_versions(4, 100);
    const auto [place, passing] = GetParam();
    kill_in_a_chain(place, passing);
    kill_in_a_chain(place, passing);
    auto one = start();
    auto two = start();
    EXPECT_TRUE(becomes("400", delivered_versions, 60s));
    stop(one);
    stop(two);
    expect_order();
    EXPECT_EQ(value("select count(distinct change) from public.change"), "400");
    EXPECT_EQ(value("select count(*) from postrider.delivery where status = 'failed'"), "0");
}

INSTANTIATE_TEST_SUITE_P(wherever_it_dies, worker_killed_chain,
                         testing::Values(std::pair{"worker.after_claim", 5},
                                         std::pair{"worker.before_handler", 150},
                                         std::pair{"worker.after_handler", 150},
                                         std::pair{"worker.before_settle", 3},
                                         std::pair{"worker.after_settle", 3}),
                         [](const auto& chosen) {
                             std::string name = chosen.param.first;
                             std::ranges::replace(name, '.', '_');
                             return name;
                         });

TEST_F(worker_killed_chain, a_failing_message_is_retried_before_those_behind_it) {
    prepare("hold");
    publish_versions(4, 100, 50, "transient");
    kill_in_a_chain("worker.after_handler", 150);
    auto one = start();
    auto two = start();
    EXPECT_TRUE(becomes("400", delivered_versions, 60s));
    stop(one);
    stop(two);
    expect_order();
    EXPECT_EQ(value("select count(*) from public.change b, public.change c where"
                    " b.change ->> 'version' = '50' and c.change ->> 'version' = '51' and"
                    " b.change -> 'key' = c.change -> 'key' and b.n > c.n"),
              "0")
        << "its retries come first";
    EXPECT_EQ(value("select count(*) >= 16 from public.change where change ->> 'version' = '50'"),
              "t");
}

TEST_F(worker_killed_chain, a_dead_letter_in_the_middle_holds_until_it_is_discarded) {
    prepare("hold");
    publish_versions(4, 100, 50, "terminal");
    kill_in_a_chain("worker.after_handler", 150);
    auto survivor = start();
    EXPECT_TRUE(becomes("4 held 50 each",
                        "select count(*) || ' held ' || min(followers) || ' each' from"
                        " postrider.blocked_keys where status = 'failed' and followers = 50",
                        60s));
    EXPECT_EQ(value("select max((change ->> 'version')::int) from public.change"), "50");
    session.exec(
        "select postrider.discard(jsonb_build_object('ids', jsonb_agg(id)), 'test', 'test')"
        " from postrider.dead_letters");
    EXPECT_TRUE(becomes("396", delivered_versions, 60s));
    stop(survivor);
    expect_order();
}

TEST_F(worker_killed_chain, a_dead_letter_in_the_middle_is_skipped) {
    prepare("skip");
    publish_versions(4, 100, 50, "terminal");
    kill_in_a_chain("worker.after_handler", 150);
    auto survivor = start();
    EXPECT_TRUE(becomes("396", delivered_versions, 60s));
    stop(survivor);
    expect_order();
    EXPECT_EQ(count("failed"), "4");
}

TEST_F(worker_killed_chain, a_dead_letter_in_the_middle_holds_for_a_time) {
    prepare("hold_for");
    publish_versions(4, 100, 50, "terminal");
    kill_in_a_chain("worker.after_handler", 150);
    auto survivor = start();
    EXPECT_TRUE(becomes("4", "select count(*) from postrider.dead_letters", 60s));
    EXPECT_EQ(value("select count(*) from public.change, postrider.dead_letters d where"
                    " (change ->> 'version')::int > 50 and 'key ' || (change ->> 'key') ="
                    " (select ordering_key from postrider.outbox o where o.id = d.id) and"
                    " clock_timestamp() < d.dead_at + interval '2 seconds'"),
              "0")
        << "behind one that holds";
    EXPECT_TRUE(becomes("396", delivered_versions, 60s));
    stop(survivor);
    expect_order();
    EXPECT_EQ(count("failed"), "4");
}

}  // namespace
}  // namespace postrider::test
