// Promises about the entries around those of Redis that are too large for a worker.
#include <postrider/source.hpp>
#include <set>

#include "relay/redis/redis_session.hpp"
#include "relay/support/stream_peer.hpp"
#include "support/eventually.hpp"
#include "support/faults/tcp_gate.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;
using strings = std::vector<std::string_view>;

class redis_large_test : public worker_fixture {
  protected:
    static constexpr std::size_t megabyte = std::size_t{1} << 20;

    redis_large_test() { peer_->open(); }

    void send_too_large(int count) {
        const std::vector<std::pair<std::string, std::string>> fields(1'060'000, {"f", "v"});
        for (int i = 0; i < count; ++i) {
            peer_->send(fields, "{}");
        }
    }
    /// An entry without the field `data`, with a field of that many control characters.
    void send_control_characters(std::size_t count) const {
        auto sending = session();
        sending.call({"XADD", "S", "*", "f", std::string(count, '\x01')});
    }
    void send_small(int count, const std::string& prefix) {
        for (int i = 0; i < count; ++i) {
            peer_->send_event(prefix + std::to_string(i));
            missing_.insert(prefix + std::to_string(i));
        }
    }
    relaying::redis_session session() const {
        const auto at = peer_->url();
        return relaying::redis_session(
            relaying::redis_at(relaying::parse_relay_url(at), std::chrono::seconds(20)));
    }
    /// A consumer that is lost with all entries that are there.
    void lose_all() const {
        auto lost = session();
        lost.call({"XGROUP", "CREATE", "S", "office", "0", "MKSTREAM"});
        try {
            lost.call(
                {"XREADGROUP", "GROUP", "office", "lost", "COUNT", "10000", "STREAMS", "S", ">"});
        } catch (const relaying::redis_answer_given_up&) {
            // The entries are its own all the same.
        }
    }
    std::size_t idle_for(const std::string& time) const {
        auto asking = session();
        return asking.call({"XPENDING", "S", "office", "IDLE", time, "-", "+", "10000"})->elements;
    }
    std::shared_ptr<source> make_source(const std::string& url,
                                        std::chrono::milliseconds redeliver_after) const {
        return broker_source({.from = url,
                              .stream = "S",
                              .group = "office",
                              .redeliver_after = redeliver_after,
                              .timeout = 20s});
    }
    /// As a worker does, except that a failure of the broker, after which a worker pauses, ends it.
    bool all_arrive(source& from, std::chrono::seconds time) {
        for (const auto until = clock::now() + time; !missing_.empty() && clock::now() < until;) {
            for (const auto& one : from.fetch(100, 20ms)) {
                missing_.erase(one.id);
                seen_.push_back(one);
                from.acknowledge(std::vector{one.receipt});
            }
            notices_ += from.notice();
        }
        return missing_.empty();
    }

    const std::unique_ptr<stream_peer> peer_ = make_redis_stream();
    std::set<std::string> missing_;
    std::vector<received_message> seen_;
    std::string notices_;
};

TEST_F(redis_large_test, new_entries_behind_ones_that_are_too_large_arrive_without_a_failure) {
    send_small(5, "before");
    send_too_large(4);
    send_small(5, "behind");
    const auto from = make_source(peer_->url(), 60s);
    EXPECT_TRUE(all_arrive(*from, 30s)) << missing_.size() << " of 10 did not arrive";
    for (const auto& one : seen_) {
        EXPECT_EQ(one.deliveries, 1) << one.id;  // no worker was lost with it
    }
    EXPECT_NE(notices_.find("4 entries so far"), std::string::npos) << notices_;
    EXPECT_EQ(peer_->unacknowledged("office"), 4);
}

TEST_F(redis_large_test, a_worker_names_the_one_that_is_too_large_and_does_not_pause) {
    send_too_large(2);
    send_small(5, "behind");
    auto how = options();
    how.source = make_source(peer_->url(), 60s);
    worker by(how);
    by.on("*", "office.count", [](const event&, context&) {});
    by.start();
    EXPECT_TRUE(watching->wait_done(5));
    EXPECT_TRUE(watching->wait_state("source_notice"));
    EXPECT_EQ(watching->said().find("source_lost"), std::string::npos) << watching->said();
}

TEST_F(redis_large_test, a_worker_names_the_last_ones_that_are_too_large_when_it_stops) {
    send_too_large(2);
    auto how = options();
    how.source = make_source(peer_->url(), 60s);
    worker by(how);
    by.on("*", "office.count", [](const event&, context&) {});
    by.start();
    ASSERT_TRUE(watching->wait_state("source_notice"));
    send_too_large(1);
    send_small(1, "behind");
    ASSERT_TRUE(watching->wait_done(1));
    by.request_stop();
    by.wait();
    EXPECT_NE(watching->said().find("3 entries so far"), std::string::npos) << watching->said();
}

TEST_F(redis_large_test, lost_entries_behind_ones_that_are_too_large_are_reached_in_one_sweep) {
    send_too_large(4);
    send_small(5, "lost");
    lose_all();
    const auto from = make_source(peer_->url(), 1s);
    EXPECT_TRUE(all_arrive(*from, 30s)) << missing_.size() << " of 5 did not arrive";
    // Each of the four was tried once. When all are claimed again, none of them is read again.
    EXPECT_TRUE(eventually([&] { return idle_for("1000") == 4; }));
    notices_.clear();
    send_small(1, "later");
    EXPECT_TRUE(all_arrive(*from, 10s));
    EXPECT_TRUE(eventually([&] {
        from->fetch(100, 1ms);
        notices_ += from->notice();
        return idle_for("1000") == 0;
    }));
    EXPECT_EQ(notices_, "");
}

TEST_F(redis_large_test, claimed_entries_are_returned_when_the_answer_with_new_ones_is_given_up) {
    send_small(3, "lost");
    lose_all();
    const auto from = make_source(peer_->url(), 1s);
    ASSERT_TRUE(eventually([&] { return idle_for("1000") == 3; }));
    send_too_large(1);
    EXPECT_EQ(from->fetch(100, 20ms).size(), 3U);
    EXPECT_NE(from->notice(), "");
}

TEST_F(redis_large_test, new_entries_do_not_wait_for_the_end_of_a_long_sweep) {
    send_small(2000, "held");
    lose_all();
    missing_.clear();
    send_small(1, "new");
    tcp_gate gate(peer_->url().substr(std::string("redis://").size()));
    gate.delay(20ms);  // a hundred claims would take four seconds
    const auto from = make_source("redis://127.0.0.1:" + std::to_string(gate.port()), 30s);
    const auto began = clock::now();
    const auto found = from->fetch(1, 1ms);
    EXPECT_LT(clock::now() - began, 1500ms);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().id, "new0");
}

TEST_F(redis_large_test, an_entry_that_would_grow_into_a_message_that_is_too_large_is_read_once) {
    send_small(2, "before");
    send_control_characters(12 * megabyte);  // six bytes each in JSON
    peer_->send({}, std::string(65 * megabyte, '1'));
    peer_->send({{"postrider-headers", std::string(65 * megabyte, '1')}}, "{}");
    send_small(2, "behind");
    const auto from = make_source(peer_->url(), 1s);
    EXPECT_TRUE(all_arrive(*from, 30s)) << missing_.size() << " of 4 did not arrive";
    EXPECT_EQ(seen_.size(), 4U);
    EXPECT_NE(notices_.find("3 entries so far are too large"), std::string::npos) << notices_;
    EXPECT_EQ(peer_->unacknowledged("office"), 3);
    // When they are claimed again, they are not read again.
    ASSERT_TRUE(eventually([&] { return idle_for("1000") == 3; }));
    notices_.clear();
    EXPECT_TRUE(eventually([&] {
        EXPECT_EQ(from->fetch(100, 1ms).size(), 0U);
        notices_ += from->notice();
        return idle_for("1000") == 0;
    }));
    EXPECT_EQ(notices_, "");
}

TEST_F(redis_large_test, a_fetch_of_entries_that_grow_has_a_limit) {
    const int count = 8;
    for (int i = 0; i < count; ++i) {
        send_control_characters(2 * megabyte);
    }
    const auto from = make_source(peer_->url(), 60s);
    std::set<std::string> ids;
    EXPECT_TRUE(eventually([&] {
        std::size_t bytes = 0;
        for (const auto& one : from->fetch(100, 20ms)) {
            bytes += one.payload.size();
            EXPECT_EQ(one.deliveries, 1) << one.id;
            ids.insert(one.id);
        }
        EXPECT_LE(bytes, 64 * megabyte);
        return std::ssize(ids) == count;
    }));
}

}  // namespace
}  // namespace postrider::test
