#include "serve/serve_fixture.hpp"

// Searches in large tables: they stop at their limit, report their position, and can be continued.
namespace postrider::test {
namespace {

class reach_test : public serve_fixture {
  protected:
    /// Dead letters of increasing age; only the oldest one contains `rare`.
    void many_dead_letters() {
        register_worker();
        session_.exec(
            "insert into postrider.delivery (consumer_id, handler, status, max_crashes,"
            " available_at, dead_at, last_error, fingerprint, seq, published_at, message_id,"
            " channel, event_type, event_version, occurred_at, source, payload, idempotency_key,"
            " priority)"
            " select c.id, 'billing.charge', 'failed', 3, now(), now() - n * interval '1 second',"
            " case n when 25000 then 'rare' else 'usual' end, 'f', -n, now(), gen_random_uuid(),"
            " c.channel, 'order.placed', 1, now(), 'shop', '{}', n, 0"
            " from postrider.consumer c, generate_series(1, 25000) n");
        session_.exec("vacuum analyze postrider.delivery");
    }
};

TEST_F(reach_test, a_search_for_a_dead_letter_stops_and_goes_on) {
    many_dead_letters();
    start();
    const auto first = get("/api/v1/dead-letters?error=rare");
    ASSERT_EQ(first.status, 200) << first.text;
    EXPECT_EQ(first.body["rows"].size(), 0U);
    ASSERT_TRUE(first.body["searched_to"].is_string()) << first.text;
    const auto second =
        get("/api/v1/dead-letters?error=rare&after=" + first.body["next"].get<std::string>());
    ASSERT_EQ(second.body["rows"].size(), 1U) << second.text;
    EXPECT_EQ(second.body["rows"][0]["last_error"], "rare");
    EXPECT_TRUE(second.body["next"].is_null());
    EXPECT_FALSE(second.body.contains("searched_to"));
    // A search with an index needs no limit.
    EXPECT_FALSE(get("/api/v1/dead-letters?handler=billing.mail").body.contains("searched_to"));
}

TEST_F(reach_test, a_preview_reports_its_scan_limit) {
    many_dead_letters();
    start();
    const json rare{{"error", "rare"}};
    const auto partly = post("/api/v1/replays/preview", {{"filter", rare}}).body;
    EXPECT_EQ(partly["total"], 0) << partly.dump(1);
    EXPECT_EQ(partly["exact"], false);
    EXPECT_TRUE(partly["searched_to"].is_string());
    const auto all = post("/api/v1/replays/preview", {{"filter", rare}, {"exact", true}}).body;
    EXPECT_EQ(all["total"], 1) << all.dump(1);
    EXPECT_EQ(all["exact"], true);
    EXPECT_TRUE(all["searched_to"].is_null());
    const auto known =
        post("/api/v1/replays/preview", {{"filter", {{"handler", "billing.charge"}}}}).body;
    EXPECT_EQ(known["total"], 25000) << known.dump(1);
    EXPECT_EQ(known["exact"], true);
    EXPECT_EQ(post("/api/v1/replays/preview", {{"filter", rare}, {"exact", "yes"}}).status, 400);
}

TEST_F(reach_test, a_message_is_searched_for_piece_by_piece) {
    session_.exec("select postrider.publish('order.placed', p_idempotency_key => 'rare')");
    session_.exec(
        "insert into postrider.message (event_type, source) select 'order.placed', 'shop'"
        " from generate_series(1, 50010)");
    start();
    const auto first = get("/api/v1/messages?idempotency_key=rare");
    EXPECT_EQ(first.body["rows"].size(), 0U);
    ASSERT_TRUE(first.body["searched_to"].is_string()) << first.text;
    const auto second =
        get("/api/v1/messages?idempotency_key=rare&after=" + first.body["next"].get<std::string>());
    EXPECT_EQ(second.body["rows"].size(), 1U) << second.text;
    EXPECT_TRUE(second.body["next"].is_null());
}

TEST_F(reach_test, deliveries_that_ended_are_searched_for_piece_by_piece) {
    many_dead_letters();
    session_.exec(
        "update postrider.delivery set status = 'delivered', delivered_at = now(), dead_at = null"
        " where last_error = 'rare'");
    // It is the first one that was made.
    session_.exec("update postrider.delivery set id = default where last_error <> 'rare'");
    start();
    const auto first = get("/api/v1/deliveries?status=delivered");
    EXPECT_EQ(first.body["rows"].size(), 0U);
    ASSERT_TRUE(first.body["next"].is_string()) << first.text;
    const auto second =
        get("/api/v1/deliveries?status=delivered&after=" + first.body["next"].get<std::string>());
    EXPECT_EQ(second.body["rows"].size(), 1U) << second.text;
    EXPECT_TRUE(second.body["next"].is_null());
    EXPECT_EQ(get("/api/v1/deliveries?status=delivered&after=bm9uZQ").status, 400);
}

}  // namespace
}  // namespace postrider::test
