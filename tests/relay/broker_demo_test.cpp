// The demo on a broker, as a visitor starts it.
#include <gtest/gtest.h>

#include <csignal>
#include <memory>

#include "e2e/program.hpp"
#include "embedded/server.hpp"

namespace postrider::test {
namespace {

class broker_demo : public testing::Test {
  protected:
    void TearDown() override {
        embedded::server({.data_dir = postrider_.data_dir()}).stop_anyway();
    }
    std::unique_ptr<process> start(std::vector<std::string> more) const {
        more.insert(more.begin(), {"--no-fsync", "--data-dir", postrider_.data_dir().string(), "up",
                                   "--no-page"});
        return std::make_unique<process>(program::command(more), postrider_.variables());
    }
    std::string value(const std::string& sql) const {
        return postrider_.run({"psql", "-X", "-Atc", sql}).output;
    }
    bool nats_runs() const {
        return run({"/bin/sh", "-c",
                    "pgrep -f '" + postrider_.data_dir().string() + "/nats/[n]ats.conf'"})
                   .status == 0;
    }
    program postrider_;
};

TEST_F(broker_demo, the_shop_runs_on_jetstream_and_takes_the_server_with_it) {
    const auto demo = start({"--demo", "--broker", "nats", "--json"});
    // Failures reach PostgreSQL, and the mail server's outage opens its circuit.
    demo->wait_for_line("\"held\":1");
    EXPECT_TRUE(nats_runs());
    EXPECT_EQ(value("select string_agg(consumer, ' ' order by consumer) from postrider.consumers"
                    " where channel = 'broker' and workers = 1"),
              "analytics billing mail warehouse\n");
    EXPECT_EQ(value("select consumer from postrider.consumers where channel <> 'broker'"), "out\n");
    EXPECT_EQ(value("select count(*) > 0 and bool_and(channel = 'broker') from postrider.outbox"
                    " where consumer = 'mail'"),
              "t\n");
    demo->kill(SIGTERM);
    EXPECT_EQ(demo->wait(), 0) << demo->output();
    EXPECT_FALSE(nats_runs());
    // All handlers together have handled more messages than the shop has published: each of the
    // three goes to its consumer and to analytics.
    const auto last = demo->output().rfind("\"delivered\":");
    ASSERT_NE(last, std::string::npos) << demo->output();
    EXPECT_GT(std::stoll(demo->output().substr(last + 12)), 50) << demo->output();
}

TEST_F(broker_demo, a_broker_without_the_demo_is_refused) {
    const auto refused = start({"--broker", "nats"});
    EXPECT_EQ(refused->wait(), 64);
    EXPECT_NE(refused->output().find("add --demo"), std::string::npos) << refused->output();
}

}  // namespace
}  // namespace postrider::test
