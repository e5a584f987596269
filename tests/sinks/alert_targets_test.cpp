#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <postrider/error.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sinks/alert_server.hpp"
#include "sinks/records.hpp"
#include "sinks/sentry_dsn.hpp"

namespace postrider::test {
namespace {

using nlohmann::json;

alert a_dead_letter() {
    alert record;
    record.id = 7;
    record.kind = "dead_letter";
    record.at = noon;
    record.event_id = "01890a5d-ac96-774b-bcce-b302099a8057";
    record.event_type = "order.placed";
    record.source = "shop";
    record.handler_name = "billing.send_invoice";
    record.last_error = "no paper \"A4\"\n<b>";
    record.attempts = 5;
    record.consumer = "billing";
    record.channel = "outbox_default";
    record.cycle = 2;
    record.fingerprint = "f00";
    record.error_class = "printer";
    return record;
}

std::string refusal(const std::string& dsn) {
    try {
        sentry_target({.dsn = dsn});
    } catch (const error& problem) {
        return problem.what();
    }
    return "";
}

std::vector<json> lines_of(const std::string& envelope) {
    std::vector<json> lines;
    std::istringstream stream(envelope);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(json::parse(line));
    }
    return lines;
}

TEST(sentry_dsn_test, a_dsn_says_where_envelopes_go_and_by_which_key) {
    const auto plain = sinks::sentry_dsn::parse("https://abc123@o1.ingest.example.com/42");
    EXPECT_EQ(plain.envelope_url, "https://o1.ingest.example.com/api/42/envelope/");
    EXPECT_EQ(plain.public_key, "abc123");
    const auto own = sinks::sentry_dsn::parse("http://key:secret@sentry.local:9000/errors/app/7/");
    EXPECT_EQ(own.envelope_url, "http://sentry.local:9000/errors/app/api/7/envelope/");
    EXPECT_EQ(own.public_key, "key");
}

TEST(sentry_dsn_test, an_invalid_dsn_is_refused_without_showing_it) {
    for (const std::string dsn :
         {"", "hunter2", "ftp://hunter2@host/1", "https://host/hunter2", "https://@hunter2/1",
          "https://hunter2@host", "https://hunter2@host/", "https://hunter2@/1",
          "https://hunter2@host/1?x=y", "https://hunter2@ho st/1", "https://hunter2@host/1\r\nX: y",
          "https://hun\nter2@host/1"}) {
        const auto said = refusal(dsn);
        EXPECT_NE(said.find("invalid Sentry DSN"), std::string::npos) << dsn;
        EXPECT_EQ(said.find("hunter2"), std::string::npos) << said;
    }
}

TEST(webhook_test, a_name_stands_for_the_address_and_shows_none_of_it) {
    const auto name = [](std::string url) {
        return webhook_target({.url = std::move(url)})->name();
    };
    const auto one = name("https://example.com/hook/hunter2");
    EXPECT_EQ(one.size(), std::string("webhook-").size() + 8);
    EXPECT_EQ(one, name("https://example.com/hook/hunter2"));
    EXPECT_EQ(one, name("https://user:password@example.com/hook/hunter2"));
    EXPECT_NE(one, name("https://example.com/hook/hunter3"));
    EXPECT_NE(one, name("https://example.com/hook/hunter2?team=a"));
    EXPECT_NE(one, name("https://example.org/hook/hunter2"));
    EXPECT_NE(name("https://example.com/a@b"), name("https://example.com/c@b"));
    const auto named = webhook_target({.url = "https://example.com/x", .name = "ops"});
    const auto other = webhook_target({.url = "https://example.com/y", .name = "ops"});
    EXPECT_EQ(named->name(), "ops");
    EXPECT_NE(named->configuration(), other->configuration());
    EXPECT_NE(named->configuration(), "");
}

TEST(sentry_test, a_name_depends_on_the_project_and_not_on_the_key) {
    const auto name = [](std::string dsn) {
        return sentry_target({.dsn = std::move(dsn)})->name();
    };
    const auto one = name("https://key@sentry.example/1");
    EXPECT_TRUE(one.starts_with("sentry-")) << one;
    EXPECT_EQ(one, name("https://rotated@sentry.example/1"));
    EXPECT_NE(one, name("https://key@sentry.example/2"));
}

TEST(webhook_test, an_alert_is_one_json_object_with_its_seven_fields) {
    alert_server server;
    const auto target =
        webhook_target({.url = "http://" + server.place() + "/hook", .bearer_token = "hunter2"});
    EXPECT_TRUE(target->name().starts_with("webhook-")) << target->name();
    EXPECT_TRUE(target->send(a_dead_letter(), {}).sent);
    const auto taken = server.wait_taken(1);
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0].path, "/hook");
    EXPECT_EQ(taken[0].header("Authorization"), "Bearer hunter2");
    EXPECT_EQ(taken[0].header("Content-Type"), "application/json");
    EXPECT_EQ(taken[0].header("Idempotency-Key"), "postrider-alert-7");
    EXPECT_EQ(json::parse(taken[0].body), json::parse(R"({
        "alert_id": 7, "kind": "dead_letter", "at": "2030-05-17T12:00:00.034567Z",
        "event_id": "01890a5d-ac96-774b-bcce-b302099a8057", "event_type": "order.placed",
        "source": "shop", "target": null, "handler_name": "billing.send_invoice",
        "last_error": "no paper \"A4\"\n<b>", "attempts": 5, "consumer": "billing",
        "channel": "outbox_default", "cycle": 2, "fingerprint": "f00", "error_class": "printer",
        "tries": 1})"));
}

TEST(webhook_test, the_answers_of_a_server_are_distinguished) {
    alert_server server;
    const auto target = webhook_target({.url = "http://" + server.place() + "/hunter2"});
    server.answer_next({500, 429, 400, 302});
    const auto broken = target->send(a_dead_letter(), {});
    EXPECT_FALSE(broken.sent);
    EXPECT_TRUE(broken.target_down);
    EXPECT_EQ(broken.problem, "the webhook answers 500");
    EXPECT_TRUE(target->send(a_dead_letter(), {}).target_down);
    const auto refused = target->send(a_dead_letter(), {});
    EXPECT_FALSE(refused.sent);
    EXPECT_FALSE(refused.target_down);
    EXPECT_FALSE(target->send(a_dead_letter(), {}).sent);
    EXPECT_TRUE(target->send(a_dead_letter(), {}).sent);
}

TEST(webhook_test, a_server_that_hangs_costs_its_timeout_and_no_more) {
    alert_server server;
    server.hold();
    const auto target =
        webhook_target({.url = "http://" + server.place() + "/hunter2", .timeout = 200ms});
    const auto answer = target->send(a_dead_letter(), {});
    EXPECT_FALSE(answer.sent);
    EXPECT_TRUE(answer.target_down);
    EXPECT_EQ(answer.problem.find("hunter2"), std::string::npos) << answer.problem;
}

TEST(webhook_test, a_stop_request_ends_the_wait_for_a_server) {
    alert_server server;
    server.hold();
    const auto target = webhook_target({.url = "http://" + server.place(), .timeout = 60s});
    std::stop_source stop;
    std::jthread sending(
        [&] { EXPECT_FALSE(target->send(a_dead_letter(), stop.get_token()).sent); });
    ASSERT_TRUE(server.wait_asked(1));
    stop.request_stop();
}

TEST(webhook_test, an_address_that_is_none_is_refused_without_showing_it) {
    try {
        webhook_target({.url = "file:///hunter2"});
        FAIL();
    } catch (const error& problem) {
        EXPECT_EQ(std::string(problem.what()),
                  "the address of the webhook must begin with http:// or https://");
    }
}

TEST(sentry_test, an_alert_is_an_event_in_an_envelope) {
    alert_server server;
    const auto target = sentry_target({.dsn = "http://key123@" + server.place() + "/base/42",
                                       .environment = "staging",
                                       .release = "shop@1.2"});
    ASSERT_TRUE(target->send(a_dead_letter(), {}).sent);
    const auto taken = server.wait_taken(1).at(0);
    EXPECT_EQ(taken.path, "/base/api/42/envelope/");
    EXPECT_EQ(taken.header("Content-Type"), "application/x-sentry-envelope");
    const auto auth = taken.header("X-Sentry-Auth");
    EXPECT_EQ(auth.rfind("Sentry sentry_version=7, ", 0), 0U) << auth;
    EXPECT_NE(auth.find("sentry_key=key123"), std::string::npos) << auth;
    const auto lines = lines_of(taken.body);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0]["event_id"], lines[2]["event_id"]);
    EXPECT_EQ(lines[0]["event_id"].get<std::string>().size(), 32U);
    EXPECT_EQ(lines[1]["type"], "event");
    EXPECT_EQ(lines[1]["length"], lines[2].dump().size());
    const auto& sent = lines[2];
    EXPECT_EQ(sent["level"], "error");
    EXPECT_EQ(sent["environment"], "staging");
    EXPECT_EQ(sent["release"], "shop@1.2");
    EXPECT_EQ(sent["exception"]["values"][0]["type"], "printer");
    EXPECT_EQ(sent["exception"]["values"][0]["value"], "no paper \"A4\"\n<b>");
    EXPECT_EQ(sent["tags"]["handler_name"], "billing.send_invoice");
    EXPECT_EQ(sent["fingerprint"],
              json({"postrider", "dead_letter", "billing.send_invoice", "f00"}));
    for (const auto* field :
         {"event_id", "event_type", "source", "target", "handler_name", "last_error", "attempts"}) {
        EXPECT_TRUE(sent["extra"].contains(field)) << field;
    }
}

TEST(sentry_test, the_same_alert_is_the_same_event_and_another_is_another) {
    alert_server server;
    const auto target = sentry_target({.dsn = "http://key@" + server.place() + "/42"});
    auto again = a_dead_letter();
    again.tries = 2;
    auto other = a_dead_letter();
    other.id = 8;
    for (const auto& one : {a_dead_letter(), again, other}) {
        ASSERT_TRUE(target->send(one, {}).sent);
    }
    std::vector<json> ids;
    for (const auto& taken : server.wait_taken(3)) {
        ids.push_back(lines_of(taken.body).at(0)["event_id"]);
    }
    EXPECT_EQ(ids[0], ids[1]);
    EXPECT_NE(ids[0], ids[2]);
}

TEST(sentry_test, the_end_of_a_backlog_is_news_in_the_same_issue) {
    alert_server server;
    alert queue;
    queue.kind = "key_backlog";
    queue.at = noon;
    queue.last_error = "500 messages wait for the ordering key 7";
    queue.fingerprint = "4a853c98";
    queue.consumer = "ledger";
    auto end = queue;
    end.id = 2;
    end.kind = "key_released";
    const auto target = sentry_target({.dsn = "http://key@" + server.place() + "/42"});
    ASSERT_TRUE(target->send(queue, {}).sent);
    ASSERT_TRUE(target->send(end, {}).sent);
    const auto sent = server.wait_taken(2);
    const auto first = lines_of(sent.at(0).body).at(2);
    const auto second = lines_of(sent.at(1).body).at(2);
    EXPECT_EQ(first["fingerprint"], second["fingerprint"]);
    EXPECT_EQ(first["level"], "error");
    EXPECT_EQ(second["level"], "info");
}

TEST(sentry_test, a_circuit_that_opened_has_no_event_and_is_an_alert_all_the_same) {
    alert_server server;
    alert opened;
    opened.id = 1;
    opened.kind = "circuit_opened";
    opened.at = noon;
    opened.handler_name = "billing.send_invoice";
    opened.consumer = "billing";
    const auto target = sentry_target({.dsn = "http://key@" + server.place() + "/42"});
    ASSERT_TRUE(target->send(opened, {}).sent);
    const auto sent = lines_of(server.wait_taken(1).at(0).body).at(2);
    EXPECT_EQ(sent["exception"]["values"][0]["value"],
              "the circuit of billing.send_invoice opened");
    EXPECT_TRUE(sent["extra"]["event_id"].is_null());
}

}  // namespace
}  // namespace postrider::test
