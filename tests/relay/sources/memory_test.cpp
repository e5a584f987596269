// Promises about the memory of a worker that receives large messages from a broker.
#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "relay/support/stream_peer.hpp"
#include "support/eventually.hpp"
#include "support/faults/tcp_gate.hpp"
#include "support/turnstile.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t megabyte = std::size_t{1} << 20;
constexpr std::size_t large = 900'000;

/// Counts the bytes of messages that a worker has and has not answered.
class weighing_source : public source {
  public:
    explicit weighing_source(std::shared_ptr<source> from) : from_(std::move(from)) {}

    std::vector<received_message> fetch(int limit, std::chrono::milliseconds wait) override {
        auto some = from_->fetch(limit, wait);
        const std::lock_guard lock(mutex_);
        for (const auto& one : some) {
            held_ += one.payload.size();
            sizes_[one.receipt] = one.payload.size();
        }
        max_ = std::max(max_, held_);
        pauses_ += limit == 0 && some.empty() ? 1 : 0;
        return some;
    }
    void acknowledge(std::span<const std::string> receipts) override {
        answered(receipts);
        from_->acknowledge(receipts);
    }
    void give_back(std::span<const std::string> receipts) override {
        answered(receipts);
        from_->give_back(receipts);
    }
    void keep_alive(std::span<const std::string> receipts) override { from_->keep_alive(receipts); }
    std::chrono::milliseconds keep_alive_interval() const override {
        return from_->keep_alive_interval();
    }
    void close() override { from_->close(); }

    std::size_t max() const {
        const std::lock_guard lock(mutex_);
        return max_;
    }
    /// True when a worker with that many bytes has asked for no more several times.
    bool pauses_with(std::size_t bytes) {
        {
            const std::lock_guard lock(mutex_);
            pauses_ = 0;
        }
        return eventually(
            [&] {
                const std::lock_guard lock(mutex_);
                if (held_ < bytes) {
                    pauses_ = 0;
                }
                return pauses_ > 5;
            },
            30s);
    }

  private:
    void answered(std::span<const std::string> receipts) {
        const std::lock_guard lock(mutex_);
        for (const auto& one : receipts) {
            held_ -= sizes_[one];
            sizes_.erase(one);
        }
    }

    const std::shared_ptr<source> from_;
    mutable std::mutex mutex_;
    std::map<std::string, std::size_t> sizes_;
    std::size_t held_ = 0;
    std::size_t max_ = 0;
    int pauses_ = 0;
};

struct large_kind {
    const char* name;
    std::unique_ptr<stream_peer> (*make)();
    friend void PrintTo(const large_kind& one, std::ostream* to) { *to << one.name; }
};

class large_messages : public worker_fixture, public ::testing::WithParamInterface<large_kind> {
  protected:
    large_messages() { peer->open(); }

    worker_options on_broker() {
        weighed = std::make_shared<weighing_source>(
            broker_source({.from = peer->url(), .stream = "S", .group = "office", .timeout = 5s}));
        auto made = options();
        made.source = weighed;
        return made;
    }
    void send(int count, const std::string& type, std::size_t bytes) {
        const auto body = "\"" + std::string(bytes, 'x') + "\"";
        for (int i = 0; i < count; ++i) {
            peer->send_event(type + std::to_string(i), type, body);
        }
    }
    bool acknowledged() {
        return eventually([this] { return peer->unacknowledged("office") == 0; }, 60s);
    }

    const std::unique_ptr<stream_peer> peer = GetParam().make();
    std::shared_ptr<weighing_source> weighed;
};

// The Kafka of the tests keeps only a few megabytes.
INSTANTIATE_TEST_SUITE_P(brokers, large_messages,
                         ::testing::Values(large_kind{"nats", make_nats_stream},
                                           large_kind{"redis", make_redis_stream}),
                         [](const auto& one) { return one.param.name; });

TEST_P(large_messages, that_wait_to_be_stored_stay_in_the_broker_beyond_a_limit_of_bytes) {
    send(160, "bad.x", large);
    tcp_gate gate;
    auto how = on_broker();
    how.database = gate.conninfo(database.name());
    how.call_timeout = 1s;
    worker by(how);
    handler_options once;
    once.max_attempts = 1;
    once.circuit.failures = 0;
    std::atomic<bool> down = true;
    std::atomic<int> handled = 0;
    by.on(
        "*", "office.call",
        [&](const event&, context&) {
            if (down) {
                throw std::runtime_error("503");
            }
            ++handled;
        },
        once);
    by.start();
    ASSERT_TRUE(watching->wait_runs(1));
    gate.refuse();
    gate.cut();
    EXPECT_TRUE(weighed->pauses_with(60 * megabyte));
    down = false;
    gate.pass();
    EXPECT_TRUE(acknowledged());
    EXPECT_LT(weighed->max(), 120 * megabyte);
    EXPECT_EQ(value("select count(*) from postrider.delivery"), std::to_string(160 - handled));
}

TEST_P(large_messages, that_wait_for_a_thread_stay_in_the_broker_beyond_a_limit_of_bytes) {
    turnstile gate;
    worker by(on_broker());
    by.on("small.x", "office.count", [](const event&, context&) {});
    by.on("large.x", "office.wait", [&](const event&, context&) { gate.pass(); });
    // A worker with fast handlers keeps many messages ready.
    send(5000, "small.x", 10);
    by.start();
    ASSERT_TRUE(watching->wait_runs(5000));
    send(160, "large.x", large);
    ASSERT_TRUE(gate.wait_for(1));
    EXPECT_TRUE(weighed->pauses_with(large));
    gate.open();
    EXPECT_TRUE(acknowledged());
    EXPECT_LT(weighed->max(), 120 * megabyte);
    EXPECT_EQ(value("select count(*) from postrider.delivery"), "0");
}

}  // namespace
}  // namespace postrider::test
