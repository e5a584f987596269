#include <algorithm>
#include <set>

#include "serve/serve_fixture.hpp"

// The behaviour of the API.
namespace postrider::test {
namespace {

class api_test : public serve_fixture {};

TEST_F(api_test, pages_follow_each_other_without_gap_or_repetition) {
    register_worker();
    for (int i = 0; i < 7; ++i) {
        dead_letter("error number " + std::string(1, static_cast<char>('a' + i)));
    }
    start();
    for (const auto* path :
         {"/api/v1/dead-letters", "/api/v1/messages", "/api/v1/alerts",
          "/api/v1/dead-letter-groups", "/api/v1/deliveries", "/api/v1/handlers"}) {
        const std::string more = std::string(path).ends_with("deliveries") ? "&status=failed" : "";
        const auto whole = get(std::string(path) + "?limit=1000" + more).body["rows"];
        ASSERT_GE(whole.size(), 2U) << path;
        auto rows = json::array();
        std::string after;
        int pages = 0;
        do {
            const auto page = get(std::string(path) + "?limit=3" + more +
                                  (after.empty() ? "" : "&after=" + after));
            ASSERT_EQ(page.status, 200) << page.text;
            rows.insert(rows.end(), page.body["rows"].begin(), page.body["rows"].end());
            after = page.body["next"].is_null() ? "" : page.body["next"].get<std::string>();
        } while (!after.empty() && ++pages < 10);
        EXPECT_EQ(rows, whole) << path;
    }
}

TEST_F(api_test, an_unchanged_response_is_not_sent_again) {
    register_worker();
    dead_letter();
    start();
    const auto first = get("/api/v1/dead-letters");
    ASSERT_TRUE(first.header("ETag").starts_with("W/\"")) << first.header("ETag");
    const auto again =
        get("/api/v1/dead-letters", "prt_admin", {{"If-None-Match", first.header("ETag")}});
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(again.text, "");
    dead_letter("another one");
    EXPECT_EQ(
        get("/api/v1/dead-letters", "prt_admin", {{"If-None-Match", first.header("ETag")}}).status,
        200);
}

TEST_F(api_test, a_message_is_found_by_all_that_it_is_known_by) {
    register_worker();
    const auto delivery = dead_letter();
    session_.exec("select postrider.publish('other', p_idempotency_key => 'key-1')");
    start();
    const auto id = value("select id from postrider.dead_letters where delivery_id = " + delivery);
    for (const auto& query :
         {"id=" + id, std::string("trace=4bf92f3577b34da6a3ce929d0e0e4736"),
          "idempotency_key=" + id, std::string("event_type=order.placed"),
          std::string("event_type=order.*&since=1h"), "workspace=" + std::string(workspace)}) {
        const auto found = get("/api/v1/messages?" + query).body["rows"];
        ASSERT_EQ(found.size(), 1U) << query;
        EXPECT_EQ(found[0]["id"], id) << query;
    }
    EXPECT_EQ(get("/api/v1/messages?idempotency_key=key-1").body["rows"].size(), 1U);
    EXPECT_EQ(get("/api/v1/messages?until=1h").body["rows"].size(), 0U);
    const auto all = get("/api/v1/messages/" + id).body;
    EXPECT_EQ(all["message"]["id"], id);
    ASSERT_EQ(all["deliveries"].size(), 1U) << all.dump(1);
    EXPECT_EQ(all["deliveries"][0]["status"], "failed");
    EXPECT_EQ(all["deliveries"][0]["last_error"], "no answer");
}

TEST_F(api_test, targets_that_no_consumer_has_are_listed_with_the_most_similar_one) {
    register_worker();
    session_.exec("select postrider.publish('order.paid', p_target => 'biling')");
    start();
    const auto listed = get("/api/v1/unmatched");
    ASSERT_EQ(listed.status, 200) << listed.text;
    const auto rows = listed.body["rows"];
    const auto found = std::ranges::find_if(
        rows, [](const auto& row) { return row["kind"] == "target_without_consumer"; });
    ASSERT_NE(found, rows.end()) << listed.text;
    EXPECT_EQ((*found)["name"], "biling");
    EXPECT_EQ((*found)["closest"], "billing");
    EXPECT_EQ((*found)["messages"], 1);
}

TEST_F(api_test, a_change_is_done_in_the_name_of_the_token) {
    seed();
    start();
    const auto ann = token("ann", "operator");
    const auto dead = value("select min(delivery_id) from postrider.dead_letters");
    ASSERT_EQ(post("/api/v1/dead-letters/discard",
                   {{"filter", {{"deliveries", {dead}}}}, {"reason", "a duplicate"}}, ann)
                  .body["count"],
              1);
    EXPECT_EQ(value("select actor || ': ' || reason from postrider.audits where action = 'discard'"
                    " order by audit desc limit 1"),
              "ann: a duplicate");
    EXPECT_EQ(post("/api/v1/dead-letters/restore",
                   {{"filter", {{"deliveries", {dead}}}}, {"reason", "not one"}}, ann)
                  .body["count"],
              1);
    ASSERT_EQ(post("/api/v1/consumers/billing/pause", {{"reason", "repair"}}, ann).status, 200);
    EXPECT_EQ(value("select paused from postrider.consumers"), "t");
    ASSERT_EQ(
        post("/api/v1/handlers/billing/billing.charge/hold", {{"reason", "repair"}}, ann).status,
        200);
    EXPECT_EQ(
        value("select circuit_state from postrider.handlers where handler = 'billing.charge'"),
        "open");
}

TEST_F(api_test, a_payload_is_shown_to_operators_and_the_audit_says_so) {
    seed();
    start();
    const auto ann = token("ann", "operator");
    const auto dead = value("select min(delivery_id) from postrider.dead_letters");
    const auto id = value("select id from postrider.dead_letters where delivery_id = " + dead);
    EXPECT_EQ(get("/api/v1/dead-letters/" + dead + "/payload", ann).body["payload"]["secret"],
              "hunter2");
    EXPECT_EQ(get("/api/v1/messages/" + id + "/payload", ann).body["headers"]["h"], 1);
    EXPECT_EQ(value("select count(*) from postrider.audits where action = 'reveal'"
                    " and actor = 'ann'"),
              "2");
    EXPECT_EQ(get("/api/v1/dead-letters/" + dead, ann).text.find("hunter2"), std::string::npos);
}

TEST_F(api_test, an_edited_payload_arrives_as_it_was_written) {
    seed();
    start();
    const auto dead = value("select min(delivery_id) from postrider.dead_letters");
    auto http = client();
    const auto made = reply_of(http.Post(
        "/api/v1/dead-letters/" + dead + "/edit",
        {{"Authorization", "Bearer prt_admin"}, {"x-postrider", "1"}},
        R"({"payload": {"n": 12345678901234567890123}, "headers": {"x": "y"}, "reason": "typo"})",
        "application/json"));
    ASSERT_EQ(made.status, 200) << made.text;
    EXPECT_EQ(value("select payload ->> 'n' || ' ' || (headers ->> 'h') || (headers ->> 'x')"
                    " from postrider.outbox where id = '" +
                    made.body["id"].get<std::string>() + "'"),
              "12345678901234567890123 1y");
}

TEST_F(api_test, a_replay_is_previewed_started_and_followed) {
    seed();
    start();
    const auto shown = post("/api/v1/replays/preview", {{"filter", {{"error", "no answer"}}}});
    ASSERT_EQ(shown.body["total"], 3) << shown.text;
    const auto made = post("/api/v1/replays", {{"filter", {{"error", "no answer"}}},
                                               {"canary", 1},
                                               {"rate", 10.5},
                                               {"reason", "repaired"}});
    ASSERT_EQ(made.status, 201) << made.text;
    const auto path = "/api/v1/replays/" + made.body["replay"].get<std::string>();
    EXPECT_EQ(get(path).body["phase"], "canary");
    EXPECT_EQ(get(path).body["rate"], 10.5);
    EXPECT_EQ(get(path + "/items?outcome=waiting").body["rows"].size(), 3U);
    EXPECT_EQ(post(path + "/pause", {{"reason", "wait"}}).status, 200);
    EXPECT_EQ(get("/api/v1/replays?active=true").body["rows"][0]["phase"], "paused");
    EXPECT_EQ(post(path + "/cancel", {{"reason", "no"}}).status, 200);
    EXPECT_EQ(post(path + "/resume", {{"reason", "yes"}}).status, 409);
}

TEST_F(api_test, figures_say_how_things_stand_and_how_fast_they_go) {
    register_worker();
    start();
    ASSERT_TRUE(eventually([&] { return get("/api/v1/overview").status == 200; }));
    session_.exec("select count(postrider.publish('order.placed')) from generate_series(1, 20)");
    ASSERT_TRUE(eventually([&] {
        const auto seen = get("/api/v1/overview").body["consumers"][0];
        return seen["backlog"] == 20 && seen["oldest_age_s"] > 0;
    }));
    session_.exec("select count(*) from postrider.claim('" + std::string(worker) + "', 20)");
    ASSERT_TRUE(
        eventually([&] { return get("/api/v1/overview").body["totals"]["in_flight"] == 20; }));
    session_.exec("select postrider.settle('" + std::string(worker) +
                  "', id, (select token from postrider.lease l where l.id = v.id))"
                  " from postrider.leases v");
    EXPECT_TRUE(eventually([&] {
        const auto seen = get("/api/v1/overview").body;
        for (const auto& point : seen["history"]) {
            if (point["delivered_per_s"] > 0) {
                return true;
            }
        }
        return false;
    }));
}

}  // namespace
}  // namespace postrider::test
