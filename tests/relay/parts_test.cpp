// The parts of a relay that need no broker.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <postrider/error.hpp>
#include <postrider/relay.hpp>

#include "relay/destination.hpp"
#include "relay/relay_url.hpp"
#include "relay/support/sample_message.hpp"

namespace postrider::test {
namespace {

using relaying::destination;

event message(std::string_view ordering_key = "k") {
    event_fields made;
    made.event_type = "order.placed";
    made.source = "shop";
    made.ordering_key = ordering_key;
    return event(made);
}

std::string rendered(const std::string& text, const event& of,
                     destination::encoding how = destination::encoding::plain) {
    std::string problem;
    return destination(text, how).of(of, problem).value_or("unroutable: " + problem);
}

TEST(destination_template, fields_of_the_envelope_take_the_place_of_their_names) {
    EXPECT_EQ(rendered("orders.{event_type}.v{event_version}", message()),
              "orders.order.placed.v1");
    EXPECT_EQ(rendered("{{{source}}}", message()), "{shop}");
}

TEST(destination_template, an_unknown_field_or_an_open_brace_is_refused_at_the_start) {
    for (const auto* text : {"orders.{type}", "orders.{", "orders.}", "orders.{event_type"}) {
        EXPECT_THROW(destination(text, destination::encoding::plain), usage_error) << text;
    }
}

TEST(destination_template, a_missing_value_is_unroutable) {
    EXPECT_EQ(rendered("{target}", message()),
              "unroutable: the message has no target, which the destination needs");
}

TEST(destination_template, a_value_cannot_change_the_path_of_a_url) {
    const auto url = destination::encoding::url;
    EXPECT_EQ(rendered("http://h/{ordering_key}", message("../a?b#c"), url),
              "http://h/..%2Fa%3Fb%23c");
    for (const auto* text :
         {"http://h/{ordering_key}{ordering_key}/x", "http://h/x/.{ordering_key}",
          "http://h/{ordering_key}", "http://h/{ordering_key}?a"}) {
        EXPECT_EQ(rendered(text, message("."), url).substr(0, 10), "unroutable") << text;
    }
    EXPECT_EQ(rendered("http://h/{ordering_key}/x", message(".."), url).substr(0, 10),
              "unroutable");
    EXPECT_EQ(rendered("http://h/x?{ordering_key}", message(".."), url), "http://h/x?..");
}

TEST(relay_address, credentials_are_recognised) {
    for (const auto* with :
         {"nats://token@h:4222", "redis://:pw@h", "redis://u:p@h/0", "kafka://h?sasl.password=x",
          "https://h/hook?api_key=1", "https://h/hook?Auth=1", "https://h/?pwd=1"}) {
        EXPECT_TRUE(relay_has_credentials(with)) << with;
    }
    for (const auto* without : {"nats://h:4222", "redis://[::1]:6379/0",
                                "pgmq:", "kafka://a:1,b:2?linger.ms=5", "https://h/{event_type}"}) {
        EXPECT_FALSE(relay_has_credentials(without)) << without;
    }
}

TEST(relay_address, operators_see_it_without_credentials_and_without_the_keys_of_webhooks) {
    const auto shown = [](std::string_view text) {
        return relaying::address_shown(relaying::parse_relay_url(text));
    };
    EXPECT_EQ(shown("nats://me:secret@h:4222?token=x"), "nats://h:4222");
    EXPECT_EQ(shown("kafka://a:1,b:2?sasl.password=x"), "kafka://a:1,b:2");
    EXPECT_EQ(shown("https://h/services/T0/B0/secret"), "https://h/…");
    EXPECT_EQ(shown("https://h/in/secret/{event_type}/x?key=1"), "https://h/…/{event_type}/…");
    EXPECT_EQ(shown("redis://:secret@h:6379/2"), "redis://h:6379/2");
    EXPECT_EQ(shown("pgmq:"), "pgmq:");
}

TEST(relay_address, options_that_cannot_work_are_refused_without_showing_the_address) {
    const auto refusal = [](const relay_options& options) -> std::string {
        try {
            worker by({.consumer = "out"});
            relay(by, "*", "out.relay", options);
        } catch (const usage_error& problem) {
            return problem.what();
        }
        return "";
    };
    for (const auto& wrong : std::vector<relay_options>{
             {.to = "amqp://u:swordfish@h", .destination = "a"},
             {.to = "nats://u:swordfish@h"},
             {.to = "nats://swordfish/rest@h", .destination = "a"},
             {.to = "redis://u:1234/swordfish@h", .destination = "a"},
             {.to = "nats://u:swordfish@h:port", .destination = "a"},
             {.to = "nats://u:swordfish@h", .destination = "a.*"},
             {.to = "redis://u:swordfish@h/swordfish", .destination = "a"},
             {.to = "https://u:swordfish@h/{swordfish", .destination = ""},
             {.to = "https://{source}.h/", .destination = ""},
             {.to = "https://h/", .signing_secrets = {"swordfish"}},
             {.to = "kafka://h?no.such.property=swordfish", .destination = "a"},
             {.to = "pgmq:", .destination = "No Queue"}}) {
        const auto said = refusal(wrong);
        EXPECT_NE(said, "");
        EXPECT_EQ(said.find("swordfish"), std::string::npos) << said;
    }
}

}  // namespace
}  // namespace postrider::test
