#include <csignal>
#include <fstream>
#include <sstream>

#include "e2e/database_fixture.hpp"
#include "relay/support/broker.hpp"
#include "relay/support/hook_server.hpp"
#include "relay/support/nats_peer.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class relay_program : public database_fixture {
  protected:
    static std::vector<std::string> arguments(std::vector<std::string> more) {
        more.insert(more.begin(), {"relay", "--consumer", "out", "--on", "*"});
        return more;
    }
    std::unique_ptr<process> start(const std::vector<std::string>& more) const {
        return std::make_unique<process>(program::command(arguments(more)), postrider_.variables());
    }
    void publish_many(int count) {
        session_.exec("select postrider.publish('order.placed') from generate_series(1, " +
                      std::to_string(count) + ")");
    }
    std::string delivered() {
        return value("select count(*) from postrider.outbox where status = 'delivered'");
    }
};

TEST_F(relay_program, a_killed_relay_loses_nothing_and_repeats_with_the_same_id) {
    nats_server server;
    server.start();
    nats_peer peer(server.url());
    peer.add_stream("orders.>");
    const std::vector<std::string> options{"--to",
                                           server.url(),
                                           "--destination",
                                           "orders.{event_type}",
                                           "--from-beginning",
                                           "--heartbeat-timeout",
                                           "1s",
                                           "--batch",
                                           "20"};
    publish_many(3000);
    auto first = start(options);
    ASSERT_TRUE(eventually([&] { return peer.count() > 100; }));
    first->kill(SIGKILL);
    first->wait();
    auto second = start(options);
    EXPECT_TRUE(eventually([&] { return delivered() == "3000"; }, std::chrono::seconds(60)));
    second->kill(SIGTERM);
    EXPECT_EQ(second->wait(), 0) << second->output();
    // Repeated messages have the deduplication id of their first sending: the stream has each once.
    EXPECT_EQ(peer.count(), 3000U);
}

TEST_F(relay_program, verify_sends_messages_again_that_the_broker_has_lost) {
    nats_server server;
    server.start();
    nats_peer peer(server.url());
    peer.add_stream("orders.>");
    const std::vector<std::string> options{"--to", server.url(), "--destination",
                                           "orders.{event_type}", "--from-beginning"};
    publish_many(50);
    auto relay = start(options);
    ASSERT_TRUE(eventually([&] { return peer.count() == 50 && delivered() == "50"; }, 60s));
    const std::vector<std::string> verify{"relay",    "verify",     "--consumer", "out",
                                          "--stream", "S",          "--since",    "1h",
                                          "--to",     server.url(), "--json"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), verify.begin(), verify.end());
        return postrider_.run(more).output;
    };
    EXPECT_EQ(with({"--dry-run"}), "{\"compared\":50,\"lost\":0,\"resent\":0,\"ids\":[]}\n");
    for (const auto sequence : {7U, 8U, 50U}) {
        peer.lose(sequence);
    }
    EXPECT_TRUE(contains(with({"--dry-run"}), "\"lost\":3,\"resent\":0"));
    EXPECT_EQ(peer.count(), 47U);
    EXPECT_TRUE(contains(with({}), "--reason is required"));
    EXPECT_TRUE(contains(with({"--reason", "power failure"}), "\"lost\":3,\"resent\":3"));
    EXPECT_TRUE(eventually([&] { return peer.count() == 50; }, 60s));
    EXPECT_TRUE(eventually([&] { return contains(with({"--dry-run"}), "\"lost\":0"); }, 60s));
    EXPECT_EQ(value("select count(*) from postrider.audits where action = 'redeliver' and reason = "
                    "'power failure'"),
              "3");
}

TEST_F(relay_program, credentials_in_an_argument_are_refused_with_the_right_place_for_them) {
    const auto refused = postrider_.run(
        arguments({"--to", "nats://shop:swordfish@127.0.0.1", "--destination", "a"}));
    EXPECT_EQ(refused.status, 64);
    EXPECT_TRUE(contains(refused.output, "POSTRIDER_RELAY_TO")) << refused.output;
    EXPECT_FALSE(contains(refused.output, "swordfish")) << refused.output;
}

TEST_F(relay_program, secrets_stand_in_no_log_in_no_list_and_on_no_command_line) {
    hook_server server;
    postrider_.set("POSTRIDER_RELAY_TO", "http://shop:swordfish@127.0.0.1:" +
                                             std::to_string(server.port()) + "/{event_type}");
    postrider_.set("POSTRIDER_WEBHOOK_SECRETS", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    const auto running = start({"--allow-private-addresses", "--from-beginning", "--json"});
    publish({"order.placed"});
    publish({"status.404"});
    EXPECT_TRUE(eventually([&] { return server.requests().size() == 2; }));
    std::ostringstream line;
    line << std::ifstream("/proc/" + std::to_string(running->id()) + "/cmdline").rdbuf();
    running->kill(SIGTERM);
    EXPECT_EQ(running->wait(), 0) << running->output();
    EXPECT_TRUE(contains(running->output(), "http:404")) << running->output();
    const auto listed = postrider_.run({"brokers", "--json"}).output;
    EXPECT_TRUE(contains(listed, "\"address\":\"http://127.0.0.1:" + std::to_string(server.port()) +
                                     "/{event_type}\""))
        << listed;
    EXPECT_TRUE(contains(listed, "\"workers\":0"))
        << "a relay that has stopped is listed: " << listed;
    for (const auto& text : {running->output(), line.str(), listed}) {
        EXPECT_FALSE(contains(text, "swordfish")) << text;
        EXPECT_FALSE(contains(text, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")) << text;
    }
    EXPECT_FALSE(server.requests().front().header("webhook-signature").empty());
}

TEST_F(relay_program, secrets_in_a_file_that_others_may_read_are_refused) {
    const auto file = write("secrets", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
    std::filesystem::permissions(file, std::filesystem::perms::others_read,
                                 std::filesystem::perm_options::add);
    const auto refused = postrider_.run(
        arguments({"--to", "https://example.com/", "--webhook-secrets", file, "--once"}));
    EXPECT_EQ(refused.status, 78) << refused.output;
    EXPECT_TRUE(contains(refused.output, "chmod o-rwx")) << refused.output;
}

TEST_F(relay_program, the_address_may_stand_in_the_configuration_file) {
    hook_server server;
    publish({"order.placed"});
    const auto file = write("config.toml", "relay_to = \"" + server.url("/in") + "\"\n");
    const auto done = postrider_.run(
        arguments({"--config", file, "--allow-private-addresses", "--from-beginning", "--once"}));
    EXPECT_EQ(done.status, 0) << done.output;
    EXPECT_EQ(server.requests().size(), 1U) << done.output;
}

TEST_F(relay_program, an_unknown_field_is_refused_before_the_first_message) {
    const auto refused =
        postrider_.run(arguments({"--to", "nats://127.0.0.1", "--destination", "a.{type}"}));
    EXPECT_EQ(refused.status, 64) << refused.output;
    EXPECT_TRUE(contains(refused.output, "unknown field {type}")) << refused.output;
}

}  // namespace
}  // namespace postrider::test
