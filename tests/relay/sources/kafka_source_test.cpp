// Promises of a source of Kafka that other brokers keep by themselves.
#include <algorithm>
#include <atomic>
#include <iterator>
#include <postrider/relay.hpp>
#include <set>

#include "relay/kafka/kafka_group.hpp"
#include "relay/support/kafka_cluster.hpp"
#include "relay/support/raw_batch.hpp"
#include "support/eventually.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class kafka_source : public worker_fixture {
  protected:
    static constexpr std::size_t megabyte = std::size_t{1} << 20;

    std::shared_ptr<source> member(const std::string& query = "",
                                   std::chrono::milliseconds redeliver_after = 30s,
                                   std::chrono::milliseconds timeout = 2s,
                                   const std::string& group = "office") const {
        return broker_source({.from = cluster.url_of_members() + query,
                              .stream = "orders",
                              .group = group,
                              .redeliver_after = redeliver_after,
                              .timeout = timeout});
    }
    void send(int count, int partition = 0) {
        for (int i = 0; i < count; ++i) {
            cluster.send("orders", partition, {}, std::to_string(i));
        }
    }
    static std::vector<received_message> take(source& from, std::size_t count) {
        std::vector<received_message> all;
        eventually([&] {
            std::ranges::move(from.fetch(100, 50ms), std::back_inserter(all));
            return all.size() >= count;
        });
        return all;
    }
    static std::vector<std::string> receipts(const std::vector<received_message>& of,
                                             const std::set<std::string>& payloads) {
        std::vector<std::string> found;
        for (const auto& one : of) {
            if (payloads.contains(one.payload)) {
                found.push_back(one.receipt);
            }
        }
        return found;
    }
    static std::set<std::string> payloads(const std::vector<received_message>& of) {
        std::set<std::string> all;
        for (const auto& one : of) {
            all.insert(one.payload);
        }
        return all;
    }
    kafka_cluster cluster;
};

TEST_F(kafka_source, records_that_were_finished_out_of_order_are_not_repeated) {
    cluster.add("orders");
    send(10);
    auto first = member();
    const auto taken = take(*first, 10);
    ASSERT_EQ(taken.size(), 10U);
    for (const auto& one : taken) {
        EXPECT_EQ(one.deliveries, 1);
    }
    first->acknowledge(receipts(taken, {"0", "2", "3", "8"}));
    first.reset();
    auto second = member();
    const auto repeated = take(*second, 6);
    EXPECT_EQ(payloads(repeated), (std::set<std::string>{"1", "4", "5", "6", "7", "9"}));
    for (const auto& one : repeated) {
        EXPECT_EQ(one.deliveries, 2) << one.payload;
    }
    second->acknowledge(receipts(repeated, payloads(repeated)));
    send(1);
    EXPECT_EQ(take(*second, 1).at(0).deliveries, 1);
}

TEST_F(kafka_source, a_partition_that_moves_takes_its_unfinished_records_along) {
    cluster.add("orders", 2);
    send(5, 0);
    send(5, 1);
    auto first = member();
    const auto taken = take(*first, 10);
    ASSERT_EQ(taken.size(), 10U);
    first->acknowledge(receipts(taken, {"1", "3"}));
    auto second = member();
    std::vector<received_message> moved;
    ASSERT_TRUE(eventually(
        [&] {
            first->fetch(0, 0ms);
            std::ranges::move(second->fetch(100, 50ms), std::back_inserter(moved));
            return moved.size() >= 3;
        },
        60s));
    EXPECT_EQ(payloads(moved), (std::set<std::string>{"0", "2", "4"}));
    EXPECT_EQ(moved.size(), 3U);
    EXPECT_EQ(moved[0].deliveries, 2);
    // The first member finishes all records that it was handed out; those that moved are not its
    // own any more.
    first->acknowledge(receipts(taken, {"0", "2", "4"}));
    first->fetch(0, 0ms);
    EXPECT_EQ(cluster.unfinished("orders", "office"), 3);
    second->acknowledge(receipts(moved, payloads(moved)));
    second->fetch(0, 0ms);
    EXPECT_EQ(cluster.unfinished("orders", "office"), 0);
}

// Although its source lives on, whose member would keep the partition for a minute.
TEST_F(kafka_source, a_stopped_worker_leaves_its_group_at_once) {
    cluster.add("orders");
    std::atomic<int> handled = 0;
    const auto worker_with = [&](const std::shared_ptr<source>& from) {
        auto how = options("office");
        how.source = from;
        auto made = std::make_unique<worker>(how);
        made->on("*", "office.note", [&](const event&) { ++handled; });
        made->start();
        return made;
    };
    const auto kept = member();
    const auto first = worker_with(kept);
    send(1);
    ASSERT_TRUE(eventually([&] { return handled == 1; }, 60s));
    cluster.watch_members();
    EXPECT_FALSE(cluster.member_left());
    first->request_stop();
    first->wait();
    EXPECT_TRUE(eventually([&] { return cluster.member_left(); }, 1s));
    const auto second = worker_with(member());
    send(1);
    EXPECT_TRUE(eventually([&] { return handled == 2; }, 30s));
    second->request_stop();
    second->wait();
    EXPECT_EQ(cluster.unfinished("orders", "office"), 0);
}

TEST_F(kafka_source, a_member_that_is_still_joining_can_be_stopped) {
    cluster.add("orders");
    send(1);
    cluster.set_round_trip(200ms);         // its join is at different points when it is stopped
    for (const auto timeout : {2s, 0s}) {  // it waits for its partitions, or does not
        for (int i = 0; i < 3; ++i) {
            // Without waiting it is left alone, and keeps its partition for a minute.
            auto joining = member("", 30s, timeout + 100ms, timeout > 0s ? "office" : "branch");
            joining->fetch(1, 3s + i * 200ms);
            joining.reset();
        }
    }
    auto kept = member();
    EXPECT_EQ(take(*kept, 1).size(), 1U);
    cluster.set_round_trip(0ms);
    auto spare = member();  // gets no partition
    const auto until = std::chrono::steady_clock::now() + 6s;
    while (std::chrono::steady_clock::now() < until) {
        kept->fetch(1, 50ms);
        spare->fetch(1, 50ms);
    }
    const auto began = std::chrono::steady_clock::now();
    spare.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - began, 1s);
}

TEST_F(kafka_source, a_member_can_be_stopped_while_a_batch_is_unpacked_without_end) {
    cluster.add("orders");
    send(1);
    auto by = member("", 30s, 1s);
    ASSERT_EQ(take(*by, 1).size(), 1U);
    raw_batch::endless("orders").send(cluster.address());
    by->fetch(1, 1s);
    const auto began = std::chrono::steady_clock::now();
    by.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - began, 10s);
}

TEST_F(kafka_source, a_record_that_is_not_kept_alive_is_handed_out_again) {
    cluster.add("orders");
    send(3);
    auto by = member("", 1s);
    const auto taken = take(*by, 3);
    ASSERT_EQ(taken.size(), 3U);
    by->acknowledge(receipts(taken, {"1"}));
    const auto kept = receipts(taken, {"0"});
    std::vector<received_message> again;
    ASSERT_TRUE(eventually([&] {
        by->keep_alive(kept);
        std::ranges::move(by->fetch(100, 50ms), std::back_inserter(again));
        return !again.empty();
    }));
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].payload, "2");
    EXPECT_EQ(again[0].deliveries, 2);
    by->give_back(kept);
    EXPECT_EQ(take(*by, 1).at(0).payload, "0");
}

TEST_F(kafka_source, a_long_handler_keeps_its_partition) {
    cluster.add("orders");
    send(1);
    // Kafka would take the partition from a member that does not poll for 4.5 s.
    const std::string query = "&max.poll.interval.ms=4500";
    std::atomic<int> runs = 0;
    auto how = options();
    how.concurrency = 1;
    how.source = member(query);
    worker busy(how);
    busy.on("*", "office.slow", [&](const event&, context&) {
        ++runs;
        std::this_thread::sleep_for(8s);
    });
    how.source = member(query);
    worker other(how);
    other.on("*", "office.slow", [&](const event&, context&) { ++runs; });
    busy.start();
    ASSERT_TRUE(eventually([&] { return runs == 1; }));
    other.start();
    EXPECT_TRUE(eventually([&] { return cluster.unfinished("orders", "office") == 0; }, 30s));
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(value("select count(*) from postrider.delivery"), "0");
}

TEST_F(kafka_source, records_that_no_thread_is_free_for_stay_in_the_broker) {
    cluster.add("orders");
    send(5);
    auto by = member();
    auto taken = take(*by, 5);
    send(20);
    const auto until = std::chrono::steady_clock::now() + 3s;
    while (std::chrono::steady_clock::now() < until) {
        std::ranges::move(by->fetch(0, 0ms), std::back_inserter(taken));
        std::this_thread::sleep_for(50ms);
    }
    EXPECT_LE(taken.size(), 6U);
    const auto rest = take(*by, 25 - taken.size());
    EXPECT_EQ(taken.size() + rest.size(), 25U);
    EXPECT_EQ(rest.back().deliveries, 1);
}

TEST_F(kafka_source, records_of_other_producers_are_taken_as_they_are) {
    cluster.add("orders");
    cluster.send("orders", 0, {}, "not JSON", "customer 7");
    auto by = member();
    const auto taken = take(*by, 1);
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0].event_type, "orders");
    EXPECT_EQ(taken[0].partition_key, "customer 7");
    EXPECT_EQ(taken[0].payload, "{\"data_base64\":\"bm90IEpTT04=\"}");
}

TEST_F(kafka_source, a_missing_topic_is_reported) {
    cluster.deny("orders");
    auto by = member();
    std::string problem;
    EXPECT_TRUE(eventually([&] {
        try {
            by->fetch(1, 100ms);
        } catch (const std::exception& caught) {
            problem = caught.what();
        }
        return !problem.empty();
    }));
    EXPECT_EQ(problem, "Kafka: there is no topic orders");
}

TEST_F(kafka_source, a_record_that_inflates_to_too_much_is_passed_with_a_notice) {
    cluster.add("orders");
    send(1);
    cluster.send_compressed("orders", "lz4", std::string(65 * megabyte, '1'));
    send(1);
    auto by = member();
    std::vector<received_message> taken;
    std::string notices;
    ASSERT_TRUE(eventually([&] {
        std::ranges::move(by->fetch(100, 50ms), std::back_inserter(taken));
        notices += by->notice();
        return taken.size() >= 2;
    }));
    EXPECT_EQ(payloads(taken), std::set<std::string>{"0"});
    EXPECT_NE(notices.find("partition 0 offset 1 (more than"), std::string::npos) << notices;
    EXPECT_NE(notices.find("topic orders"), std::string::npos);
    by->acknowledge(receipts(taken, {"0"}));
    by->fetch(0, 0ms);
    EXPECT_EQ(cluster.unfinished("orders", "office"), 0);
}

TEST_F(kafka_source, a_fetch_of_records_that_inflate_has_a_limit) {
    cluster.add("orders");
    cluster.send_compressed("orders", "lz4", std::string(16 * megabyte, '1'), 8);
    auto by = member();
    std::size_t count = 0;
    EXPECT_TRUE(eventually([&] {
        const auto some = by->fetch(100, 50ms);
        EXPECT_LE(some.size(), 5U);  // 64 MB, and one more
        count += some.size();
        return count == 8;
    }));
}

TEST_F(kafka_source, records_behind_some_that_cannot_be_inflated_arrive) {
    cluster.add("orders");
    send(1);
    // More than receive.message.max.bytes: librdkafka refuses the batch.
    cluster.send_compressed("orders", "zstd", std::string(20 * megabyte, '1'), 6);
    send(1);
    cluster.send_compressed("orders", "zstd", std::string(120 * megabyte, '1'));
    send(5);
    // A member whose seek times out joins again, and gets records a second time.
    auto by = member("", 30s, 20s);
    std::vector<received_message> taken;
    std::string notices;
    EXPECT_TRUE(eventually([&] {
        std::ranges::move(by->fetch(100, 50ms), std::back_inserter(taken));
        if (auto notice = by->notice(); !notice.empty()) {
            notices = std::move(notice);
        }
        return taken.size() >= 7;
    }));
    EXPECT_EQ(taken.size(), 7U);
    EXPECT_NE(notices.find("partition 0 offset 1 to 6 (cannot"), std::string::npos) << notices;
    EXPECT_NE(notices.find("partition 0 offset 8 (cannot"), std::string::npos) << notices;
    by->acknowledge(receipts(taken, payloads(taken)));
    by->fetch(0, 0ms);
    EXPECT_EQ(cluster.unfinished("orders", "office"), 0);
}

TEST_F(kafka_source, records_arrive_although_those_after_them_are_hidden) {
    cluster.add("orders");
    send(1);
    cluster.send_compressed("orders", "zstd", std::string(20 * megabyte, '1'), 6);
    send(1);
    // The search for the end of the batch reads from an offset among these.
    raw_batch::hidden("orders", 90).send(cluster.address());
    auto by = member("", 30s, 20s);
    EXPECT_EQ(take(*by, 2).size(), 2U);
}

// A broker checks the offsets of compressed batches only.
TEST_F(kafka_source, a_false_offset_holds_its_partition_until_an_operator_moves_the_group) {
    cluster.add("orders", 2);
    send(2);
    raw_batch("orders", {{0}, {1'000'000}}).send(cluster.address());
    send(3);
    auto by = member();
    auto taken = take(*by, 3);
    EXPECT_EQ(taken.size(), 3U);
    send(20, 1);
    std::string notice;
    EXPECT_TRUE(eventually([&] {
        std::ranges::move(by->fetch(100, 50ms), std::back_inserter(taken));
        notice += by->notice();
        return taken.size() >= 23;
    }));
    EXPECT_EQ(notice,
              "topic orders: records do not arrive although there are some: partition 0 from "
              "offset 3 (a false offset); see the guide about brokers");
    for (const auto& one : taken) {
        EXPECT_EQ(one.deliveries, 1);
        by->acknowledge(std::vector{one.receipt});
    }
    by.reset();
    EXPECT_EQ(cluster.unfinished("orders", "office"), 4);
    cluster.commit("orders", "moved", 4);
    by = member("", 30s, 2s, "moved");
    EXPECT_EQ(take(*by, 23).size(), 23U);
    EXPECT_EQ(by->notice(), "");
}

TEST_F(kafka_source, a_false_offset_at_the_end_of_a_partition_repeats_no_record) {
    cluster.add("orders");
    send(2);
    auto by = member();
    auto taken = take(*by, 2);
    cluster.send_compressed("orders", "zstd", std::string(120 * megabyte, '1'));
    std::string notice;
    const auto take_until = [&](const std::string& text) {
        return eventually([&] {
            std::ranges::move(by->fetch(100, 50ms), std::back_inserter(taken));
            if (auto next = by->notice(); !next.empty()) {
                notice = std::move(next);
            }
            return notice.find(text) != notice.npos;
        });
    };
    EXPECT_TRUE(take_until("offset 2 (cannot be decompressed)"));
    raw_batch("orders", {{1}, {1000}}).send(cluster.address());
    EXPECT_TRUE(take_until("from offset 5 (a false offset)"));
    EXPECT_NE(notice.find("offset 2 (cannot be decompressed)"), notice.npos) << notice;
    EXPECT_EQ(taken.size(), 3U);
}

TEST_F(kafka_source, a_rebalance_beside_a_backlog_stops_no_member) {
    cluster.add("orders", 4);
    for (int i = 0; i < 400; ++i) {
        send(1, i % 4);
    }
    const auto work = [](source& by) {
        std::vector<std::string> done;
        try {
            for (const auto& one : by.fetch(4, 50ms)) {
                done.push_back(one.receipt);
            }
            by.acknowledge(done);
        } catch (const std::exception&) {
            // The cluster does not answer every commit during a rebalance; a worker tries again.
        }
        return done.size();
    };
    auto first = member();
    ASSERT_TRUE(eventually([&] { return work(*first) > 0; }));
    auto second = member();
    ASSERT_TRUE(eventually([&] { return work(*first), work(*second) > 0; }, 60s));
    second.reset();
    EXPECT_TRUE(eventually(
        [&] { return work(*first) == 0 && cluster.unfinished("orders", "office") == 0; }, 60s));
}

TEST_F(kafka_source, a_topic_that_ends_before_the_offset_of_the_group_is_read_from_its_beginning) {
    cluster.add("orders");
    send(3);
    cluster.commit("orders", "office", 100);
    auto by = member();
    EXPECT_EQ(payloads(take(*by, 3)), (std::set<std::string>{"0", "1", "2"}));
    send(1);
    EXPECT_EQ(take(*by, 1).size(), 1U);
}

TEST_F(kafka_source, empty_headers_count_for_the_size_of_a_record) {
    cluster.add("orders");
    const std::vector<std::pair<std::string, std::string>> headers(100'000, {"a", ""});
    for (int i = 0; i < 12; ++i) {
        cluster.send("orders", 0, headers, "1");
    }
    auto by = member();
    std::size_t count = 0;
    EXPECT_TRUE(eventually([&] {
        const auto some = by->fetch(100, 50ms);
        EXPECT_LE(some.size(), 9U);  // 64 MB, and one more
        count += some.size();
        return count == 12;
    }));
}

TEST_F(kafka_source, operators_are_told_of_a_record_that_does_not_arrive) {
    cluster.add("orders", 2);
    send(1, 0);
    send(1, 1);
    relaying::kafka_group by({.server = {{"bootstrap.servers", cluster.address()},
                                         {"group.id", "office"},
                                         {"auto.offset.reset", "error"},
                                         {"enable.auto.commit", "false"},
                                         {"enable.partition.eof", "true"},
                                         {"partition.assignment.strategy", "cooperative-sticky"}},
                              .topic = "orders",
                              .group = "office",
                              .timeout = 2s,
                              .silence_max = 1s});
    std::size_t count = 0;
    const auto take_more = [&] { count += by.fetch(100, 50ms).size(); };
    ASSERT_TRUE(eventually([&] { return take_more(), count == 2; }));
    const auto until = std::chrono::steady_clock::now() + 1500ms;
    while (std::chrono::steady_clock::now() < until) {
        take_more();
    }
    EXPECT_EQ(by.notice(), "");
    raw_batch("orders", {{0, -2}}).send(cluster.address());
    send(1, 0);
    send(1, 1);
    std::string notice;
    EXPECT_TRUE(eventually([&] {
        take_more();
        notice = by.notice();
        return !notice.empty();
    }));
    EXPECT_EQ(count, 3U);
    EXPECT_TRUE(
        notice.starts_with("topic orders: records do not arrive although there are some: "
                           "partition 0 from offset 1 (an open transaction"))
        << notice;
}

}  // namespace
}  // namespace postrider::test
