#include <algorithm>
#include <csignal>
#include <set>
#include <sstream>

#include "e2e/database_fixture.hpp"
#include "relay/support/stream_peer.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class source_program : public database_fixture {
  protected:
    std::unique_ptr<process> work(const std::vector<std::string>& more) const {
        std::vector<std::string> all{"work", "--consumer",        "office",    "--on",
                                     "*",    "--source",          peer->url(), "--stream",
                                     "S",    "--redeliver-after", "1s"};
        all.insert(all.end(), more.begin(), more.end());
        return std::make_unique<process>(program::command(all), postrider_.variables());
    }
    std::unique_ptr<stream_peer> peer = make_nats_stream();
};

class source_program_on_each_broker
    : public source_program,
      public ::testing::WithParamInterface<std::unique_ptr<stream_peer> (*)()> {
  protected:
    source_program_on_each_broker() { peer = GetParam()(); }
};

INSTANTIATE_TEST_SUITE_P(brokers, source_program_on_each_broker,
                         ::testing::Values(make_nats_stream, make_kafka_stream),
                         [](const auto& one) { return one.index == 0 ? "nats" : "kafka"; });

TEST_P(source_program_on_each_broker, a_killed_worker_costs_its_messages_nothing) {
    peer->open();
    for (int i = 0; i < 30; ++i) {
        peer->send_event("m" + std::to_string(i));
    }
    auto first =
        work({"--exec", "touch " + path("begun") + "; exec sleep 60", "--concurrency", "2"});
    ASSERT_TRUE(eventually([&] { return exists("begun"); }, 30s));
    first->kill(SIGKILL);
    first->wait();
    auto second = work({"--exec", "echo $POSTRIDER_IDEMPOTENCY_KEY >> " + path("handled")});
    EXPECT_TRUE(eventually([&] { return peer->unacknowledged("office") == 0; }, 60s));
    EXPECT_TRUE(eventually(
        [&] {
            std::istringstream lines(read("handled"));
            std::set<std::string> all;
            for (std::string one; std::getline(lines, one);) {
                all.insert(one);
            }
            return all.size() == 30;
        },
        60s));
    // Messages that the first worker had are marked, and charged with nothing.
    EXPECT_TRUE(eventually(
        [&] {
            return value("select count(*) from postrider.delivery where status <> 'delivered'") ==
                   "0";
        },
        30s));
    EXPECT_EQ(value("select count(*) > 0 and bool_and(suspect) and max(attempts) = 1 and "
                    "max(crashes) = 0 from postrider.delivery"),
              "t");
    second->kill(SIGTERM);
    EXPECT_EQ(second->wait(), 0) << second->output();
}

TEST_F(source_program, a_worker_that_was_stopped_leaves_messages_to_the_one_that_has_them_now) {
    peer->open();
    for (int i = 0; i < 1000; ++i) {
        peer->send_event("m" + std::to_string(i));
    }
    const auto handled_by = [&](const std::string& name) {
        return work(
            {"--concurrency", "4", "--exec", "echo $POSTRIDER_IDEMPOTENCY_KEY >> " + path(name)});
    };
    const auto keys = [&](const std::string& name) {
        std::istringstream lines(read(name));
        std::set<std::string> all;
        for (std::string one; std::getline(lines, one);) {
            all.insert(one);
        }
        return all;
    };
    auto stopped = handled_by("stopped");
    ASSERT_TRUE(eventually([&] { return exists("stopped") && keys("stopped").size() > 100; }, 30s));
    stopped->kill(SIGSTOP);
    auto other = handled_by("other");
    EXPECT_TRUE(eventually([&] { return peer->unacknowledged("office") == 0; }, 60s));
    other->kill(SIGTERM);
    EXPECT_EQ(other->wait(), 0) << other->output();
    stopped->kill(SIGCONT);
    peer->send_event("last");
    EXPECT_TRUE(eventually([&] { return keys("stopped").contains("last"); }, 30s));
    int twice = 0;
    for (const auto& one : keys("stopped")) {
        twice += keys("other").contains(one) ? 1 : 0;
    }
    // Those that threads were running, and those that were finished but not acknowledged.
    EXPECT_LE(twice, 12);
    stopped->kill(SIGTERM);
    EXPECT_EQ(stopped->wait(), 0) << stopped->output();
}

TEST_F(source_program, once_ends_when_the_broker_has_no_message) {
    peer->open();
    for (int i = 0; i < 100; ++i) {
        peer->send_event("m" + std::to_string(i));
    }
    auto once = work({"--once", "--exec", "cat"});
    EXPECT_EQ(once->wait(), 0) << once->output();
    EXPECT_EQ(peer->unacknowledged("office"), 0);
}

TEST_F(source_program, options_that_cannot_work_are_refused) {
    const auto refused = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"work", "--consumer", "office", "--on", "*", "--exec", "true"});
        return postrider_.run(more).output;
    };
    EXPECT_NE(refused({"--stream", "S"}).find("need a --source"), std::string::npos);
    EXPECT_NE(refused({"--source", "nats://127.0.0.1"}).find("needs a stream"), std::string::npos);
    EXPECT_NE(refused({"--source", "amqp://127.0.0.1", "--stream", "S"}).find("amqp"),
              std::string::npos);
    const auto secret = refused({"--source", "nats://me:flounder@127.0.0.1", "--stream", "S"});
    EXPECT_NE(secret.find("POSTRIDER_SOURCE"), std::string::npos) << secret;
    EXPECT_EQ(secret.find("flounder"), std::string::npos) << secret;
    EXPECT_NE(refused({"--source", "nats://127.0.0.1", "--stream", "S", "--channel", "c"})
                  .find("leave out channel"),
              std::string::npos);
}

}  // namespace
}  // namespace postrider::test
