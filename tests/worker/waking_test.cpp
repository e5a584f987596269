#include <postrider/postrider.hpp>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

// Nobody looks by itself within the time these tests take: what is found was announced.
class waking : public worker_fixture {
  protected:
    worker_options sound_sleeper(const std::string& consumer = "office") const {
        auto made = options(consumer);
        made.sweep = 1h;
        made.poll = 1h;
        return made;
    }
};

TEST_F(waking, a_sleeping_worker_is_rung_for_every_message) {
    worker office(sound_sleeper());
    office.on("*", "office.all", [](const event&) {});
    office.start();
    for (std::size_t n = 1; n <= 5; ++n) {
        ASSERT_TRUE(asleep());
        publish("a.b");
        ASSERT_TRUE(watching->wait_runs(n));
    }
}

TEST_F(waking, what_was_published_before_the_worker_listened_is_found) {
    auto from_the_start = sound_sleeper();
    from_the_start.from_beginning = true;
    publish("a.b");
    worker office(from_the_start);
    office.on("*", "office.all", [](const event&) {});
    office.start();
    EXPECT_TRUE(watching->wait_runs(1));
}

TEST_F(waking, a_resumed_consumer_goes_on_at_once) {
    worker office(sound_sleeper());
    office.on("*", "office.all", [](const event&) {});
    office.start();
    session.exec("select postrider.pause_consumer('office')");
    publish("a.b");
    ASSERT_TRUE(asleep());
    EXPECT_TRUE(watching->runs().empty());
    session.exec("select postrider.pause_consumer('office', p_paused => false)");
    EXPECT_TRUE(watching->wait_runs(1));
}

TEST_F(waking, another_worker_takes_over_when_the_keeper_leaves) {
    auto first = std::make_unique<worker>(sound_sleeper());
    first->on("*", "office.all", [](const event&) {});
    first->start();
    ASSERT_TRUE(asleep());
    worker second(sound_sleeper());
    second.on("*", "office.all", [](const event&) {});
    second.start();
    first.reset();
    ASSERT_TRUE(asleep());
    publish("a.b");
    EXPECT_TRUE(watching->wait_runs(1));
}

TEST_F(waking, a_retry_is_due_without_anybody_ringing) {
    worker office(sound_sleeper());
    handler_options again;
    again.retry = {.curve = curve::fixed, .base = 200ms};
    office.on(
        "*", "office.flaky",
        [](const event&, context& ctx) {
            return ctx.attempts() == 1 ? failed("once") : delivered();
        },
        again);
    office.start();
    publish("a.b");
    EXPECT_TRUE(watching->wait_runs(2));
}

TEST_F(waking, a_channel_that_never_rings_is_polled) {
    session.exec("select postrider.set_wake('outbox_default', 'never')");
    auto polling = options();
    polling.sweep = 1h;
    polling.poll = 50ms;
    worker office(polling);
    office.on("*", "office.all", [](const event&) {});
    office.start();
    publish("a.b");
    EXPECT_TRUE(watching->wait_runs(1));
}

TEST_F(waking, every_worker_helps_when_one_has_its_hands_full) {
    auto busy = sound_sleeper();
    busy.concurrency = 1;
    busy.in_flight_max = 1;
    worker first(busy);
    worker second(busy);
    std::mutex mutex;
    std::condition_variable both;
    int inside = 0;
    const auto meet = [&](const event&) {
        std::unique_lock lock(mutex);
        ++inside;
        both.notify_all();
        EXPECT_TRUE(both.wait_for(lock, 20s, [&] { return inside >= 2; }));
    };
    first.on("*", "office.meet", meet);
    second.on("*", "office.meet", meet);
    first.start();
    second.start();
    ASSERT_TRUE(asleep());
    session.exec("select postrider.publish('a.' || n) from generate_series(1, 2) n");
    EXPECT_TRUE(watching->wait_runs(2));
}

}  // namespace
}  // namespace postrider::test
