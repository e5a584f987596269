#include "relay/support/broker.hpp"
#include "relay/support/hook_server.hpp"
#include "relay/support/relay_fixture.hpp"
#include "support/process.hpp"

namespace postrider::test {
namespace {

constexpr const char* old_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr const char* new_secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

// Verifies as a receiver would, with Python's own HMAC. Exit code 0: some signature fits.
constexpr const char* verify = R"(
import base64, hashlib, hmac, sys
secret, id, timestamp, signatures, body = sys.argv[1:]
key = base64.b64decode(secret[len("whsec_"):])
content = f"{id}.{timestamp}.{body}".encode()
expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
sys.exit(0 if expected in signatures.split(" ") else 1)
)";

class webhook_relay : public relay_fixture {
  protected:
    relay_options to(const std::string& url) const {
        return {.to = url,
                .timeout = std::chrono::seconds(5),
                .signing_secrets = {new_secret, old_secret},
                .allow_private_addresses = true};
    }
    static bool verified(const std::string& secret, const hook_server::request& one) {
        return run({"/usr/bin/python3", "-c", verify, secret, one.header("webhook-id"),
                    one.header("webhook-timestamp"), one.header("webhook-signature"), one.body})
                   .status == 0;
    }
};

TEST_F(webhook_relay, a_receiver_verifies_the_signature_with_the_old_and_the_new_secret) {
    hook_server server;
    const auto by = relaying(to(server.url("/in/{event_type}?from={source}")));
    by->drain();
    publish("order.placed", "'{\"order\": \"\u00e9\"}', p_source => 'a/b c'");
    by->drain();
    const auto found = server.requests();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].path, "/in/order.placed?from=a%2Fb%20c");
    EXPECT_EQ(found[0].body, "{\"order\": \"\u00e9\"}");
    EXPECT_EQ(found[0].header("webhook-id"), id_of("order.placed"));
    EXPECT_EQ(found[0].header("ce-id"), id_of("order.placed"));
    EXPECT_EQ(found[0].header("ce-source"), "a/b c");  // cpp-httplib has decoded it
    EXPECT_EQ(found[0].header("content-type"), "application/json");
    EXPECT_TRUE(verified(old_secret, found[0]));
    EXPECT_TRUE(verified(new_secret, found[0]));
    EXPECT_FALSE(verified("whsec_b3RoZXIgc2VjcmV0IG9mIDMyIGJ5dGVzLi4uLi4=", found[0]));
}

TEST_F(webhook_relay, the_answer_decides) {
    hook_server server;
    const auto by = relaying(to(server.url()));
    by->drain();
    for (const auto* status : {"204", "302", "404", "410", "500"}) {
        publish(std::string("status.") + status);
    }
    by->drain();
    EXPECT_EQ(fate("status.204"), "delivered");
    EXPECT_EQ(fate("status.302"), "failed http:302");
    EXPECT_EQ(fate("status.404"), "failed http:404");
    EXPECT_EQ(fate("status.410"), "failed http:410");
    EXPECT_EQ(value("select outcome from postrider.delivery where event_type = 'status.500'"),
              "transient");
    EXPECT_EQ(server.requests().size(), 5U);  // the redirection was not followed
}

TEST_F(webhook_relay, retry_after_is_honoured) {
    hook_server server;
    auto twice = one_attempt();
    twice.max_attempts = 2;
    const auto by = relaying(to(server.url()), twice);
    by->drain();
    publish("status.429");
    publish("status.503");
    by->drain();
    EXPECT_EQ(value("select string_agg(error_class || ' ' || (available_at - now() between"
                    " '100 s' and '120 s')::text, ', ' order by error_class)"
                    " from postrider.outbox where status = 'pending'"),
              "http:429 true, http:503 true");
}

TEST_F(webhook_relay, private_addresses_are_refused_after_name_resolution) {
    hook_server server;
    const auto port = ":" + std::to_string(server.port()) + "/";
    int number = 0;
    for (const auto* host : {"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0",
                             "169.254.169.254", "10.0.0.1", "[fe80::1]", "[fd00::1]"}) {
        auto guarded = to("http://" + (host + port));
        guarded.allow_private_addresses = false;
        worker by(options("out" + std::to_string(++number)));
        relay(by, "*", "out.relay", guarded, one_attempt());
        by.drain();
        publish("to.host" + std::to_string(number));
        by.drain();
        EXPECT_EQ(value("select concat_ws(' ', status, error_class) from postrider.delivery where "
                        "event_type = 'to.host" +
                        std::to_string(number) + "' order by id desc limit 1"),
                  "failed relay_address_refused")
            << host;
    }
    EXPECT_TRUE(server.requests().empty());
}

TEST_F(webhook_relay, a_receiver_that_is_down_opens_the_circuit_and_then_gets_everything) {
    const auto port = free_port();
    const auto by = relaying(to("http://127.0.0.1:" + std::to_string(port) + "/"));
    by->drain();
    publish_many(40);
    by->start();
    EXPECT_TRUE(circuit_opens());
    hook_server server(port);
    EXPECT_TRUE(all_delivered(40));
    std::set<std::string> ids;
    for (const auto& one : server.requests()) {
        ids.insert(one.header("webhook-id"));
    }
    EXPECT_EQ(ids, published_ids());
}

TEST_F(webhook_relay, a_slow_answer_is_a_failure_and_a_huge_one_is_not_read) {
    hook_server server;
    auto impatient = to(server.url());
    impatient.timeout = std::chrono::milliseconds(300);
    const auto by = relaying(impatient);
    by->drain();
    publish("held");
    by->drain();
    EXPECT_EQ(fate("held"), "failed timeout");
    publish("huge");
    by->drain();
    EXPECT_EQ(fate("huge"), "delivered");
}

}  // namespace
}  // namespace postrider::test
