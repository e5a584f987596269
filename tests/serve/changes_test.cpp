#include "serve/serve_fixture.hpp"

namespace postrider::test {
namespace {

// Changes that show their effect first: limits, cancellation by a filter, moving a consumer.
class changes_test : public serve_fixture {
  protected:
    static constexpr auto limit = "/api/v1/handlers/billing/billing.charge/limit";
    static constexpr auto seek = "/api/v1/consumers/billing/seek";
    static constexpr auto cancel = "/api/v1/jobs/cancel";

    void publish(int count, const std::string& more = "") {
        session_.exec("select count(postrider.publish('order.placed'" + more +
                      ")) from generate_series(1, " + std::to_string(count) + ")");
    }
    std::string claimed(int most = 100) {
        return value("select count(*) from postrider.claim('" + std::string(worker) + "', " +
                     std::to_string(most) + ")");
    }
    std::string audited() {
        return value(
            "select string_agg(action || ' by ' || actor || ': ' || reason, ', ' order by audit)"
            " from postrider.audits where action <> 'create_token'");
    }
    // Neither a viewer, nor a token of one workspace, nor a request of another origin changes it.
    void expect_guarded(const std::string& path, json body) {
        const auto before = audited();
        body["reason"] = "a test";
        EXPECT_EQ(post(path, body, viewer_).status, 403) << path;
        EXPECT_EQ(post(path, body, "prt_admin", {}).status, 403) << path << ": without x-postrider";
        EXPECT_EQ(post(path, body, "prt_admin",
                       {{"x-postrider", "1"}, {"Origin", "https://evil.example"}})
                      .status,
                  403)
            << path;
        EXPECT_EQ(post(path, body, "").status, 401) << path;
        EXPECT_EQ(audited(), before) << path;
    }

    std::string viewer_;
};

TEST_F(changes_test, a_limit_shows_its_effect_is_set_and_removed) {
    register_worker();
    publish(3);
    start();
    const json definition{{"concurrency", 1}};
    const auto seen = post(std::string(limit) + "/preview", {{"limit", definition}});
    ASSERT_EQ(seen.status, 200) << seen.text;
    EXPECT_EQ(seen.body["result"], "created");
    EXPECT_EQ(seen.body["before"], nullptr);
    EXPECT_EQ(seen.body["binds"], true);
    EXPECT_EQ(audited(), "") << "a preview changes nothing";
    EXPECT_EQ(post(limit, {{"limit", definition}}).status, 400) << "without a reason";
    EXPECT_EQ(post(limit, {{"reason", "x"}}).status, 400) << "without a limit";
    EXPECT_EQ(post(limit, {{"limit", {{"concurrency", 0}}}, {"reason", "x"}}).status, 400);
    EXPECT_EQ(post(limit, {{"limit", definition}, {"reason", "x"}, {"channel", "none"}}).status,
              404);
    EXPECT_EQ(post(limit, {{"limit", definition}, {"reason", "the bank"}}).body["result"],
              "created");
    EXPECT_EQ(claimed(), "1");
    const auto removal = post(std::string(limit) + "/preview", {{"limit", nullptr}}).body;
    EXPECT_EQ(removal["result"], "removed");
    EXPECT_EQ(removal["before"], definition);
    EXPECT_EQ(removal["throttled"], 2);
    EXPECT_EQ(removal["held"], 1);
    EXPECT_EQ(post(std::string(limit) + "/remove", {{"reason", "over"}}).status, 200);
    EXPECT_EQ(post(std::string(limit) + "/remove", {{"reason", "over"}}).status, 404);
    EXPECT_EQ(claimed(), "2");
    EXPECT_EQ(audited(), "set_limit by ann@ops: the bank, remove_limit by ann@ops: over");
}

TEST_F(changes_test, a_consumer_is_moved_to_the_instant_of_the_preview) {
    register_worker();
    publish(2);
    publish(1, ", p_available_at => now() + interval '1 hour'");
    start();
    const auto seen = post(std::string(seek) + "/preview", json::object());
    ASSERT_EQ(seen.status, 200) << seen.text;
    EXPECT_EQ(seen.body["skipped"], 3);
    EXPECT_EQ(seen.body["waiting"], 1);
    EXPECT_EQ(seen.body["again"], 0);
    publish(1);
    const auto done = post(seek, {{"to", seen.body["to"]}, {"reason", "old"}});
    ASSERT_EQ(done.status, 200) << done.text;
    EXPECT_EQ(done.body, seen.body) << "messages since the preview are not skipped";
    EXPECT_EQ(claimed(), "1");
    EXPECT_EQ(post(seek, {{"to", seen.body["to"]}}).status, 400) << "without a reason";
    EXPECT_EQ(post(seek, {{"to", "noon"}, {"reason", "x"}}).status, 400);
    EXPECT_EQ(post(seek, {{"to", "2999-01-01T00:00Z"}, {"reason", "x"}}).status, 400);
    EXPECT_EQ(post("/api/v1/consumers/none/seek", {{"reason", "x"}}).status, 404);
    EXPECT_EQ(audited(), "seek_consumer by ann@ops: old");
}

TEST_F(changes_test, jobs_are_cancelled_by_a_filter_and_never_more_than_were_shown) {
    register_worker();
    publish(1);
    EXPECT_EQ(claimed(), "1");
    publish(2);
    session_.exec("select postrider.publish('mail.due')");
    start();
    const json filter{{"consumer", "billing"}, {"handler", "billing.charge"}};
    const auto seen = post(std::string(cancel) + "/preview", {{"filter", filter}});
    EXPECT_EQ(seen.body, json({{"count", 3}, {"running", 1}})) << seen.text;
    publish(1);
    const auto done =
        post(cancel, {{"filter", filter}, {"limit", seen.body["count"]}, {"reason", "wrong"}});
    EXPECT_EQ(done.body["count"], 3) << done.text;
    EXPECT_EQ(claimed(), "2") << "the one that came later, and the one of another handler";
    EXPECT_EQ(audited(), "cancel by ann@ops: wrong");
    for (const auto& bad : {json(0), json(1001), json("1"), json(1.5)}) {
        EXPECT_EQ(post(cancel, {{"filter", filter}, {"limit", bad}, {"reason", "x"}}).status, 400)
            << bad;
    }
}

TEST_F(changes_test, a_token_of_a_workspace_counts_and_cancels_its_own_jobs_only) {
    register_worker();
    publish(2, ", p_workspace_id => '" + std::string(workspace) + "'");
    publish(3, ", p_workspace_id => '" + std::string(elsewhere) + "'");
    start();
    const auto tenant = token("ten", "operator", workspace);
    const json filter{{"consumer", "billing"}};
    EXPECT_EQ(post(std::string(cancel) + "/preview", {{"filter", filter}}, tenant).body["count"],
              2);
    auto foreign = filter;
    foreign["workspace_id"] = elsewhere;
    EXPECT_EQ(post(std::string(cancel) + "/preview", {{"filter", foreign}}, tenant).status, 403);
    EXPECT_EQ(post(cancel, {{"filter", filter}, {"reason", "ours"}}, tenant).body["count"], 2);
    EXPECT_EQ(claimed(), "3");
    // Consumers and handlers are shared by all workspaces.
    for (const auto& path :
         {std::string(limit), std::string(limit) + "/preview", std::string(limit) + "/remove",
          std::string(seek), std::string(seek) + "/preview"}) {
        EXPECT_EQ(post(path, {{"reason", "x"}}, tenant).status, 403) << path;
    }
}

TEST_F(changes_test, only_an_operator_of_this_origin_changes_anything) {
    register_worker();
    publish(1);
    start();
    const json filter{{"consumer", "billing"}};
    viewer_ = token("vic", "viewer");
    expect_guarded(limit, {{"limit", {{"concurrency", 1}}}});
    expect_guarded(std::string(limit) + "/remove", json::object());
    expect_guarded(seek, json::object());
    expect_guarded(cancel, {{"filter", filter}});
    EXPECT_EQ(claimed(), "1");
    EXPECT_EQ(value("select count(*) from postrider.limits"), "0");
}

// Only members of postrider_owner may erase, and a server runs with less.
TEST_F(changes_test, erasure_is_not_offered_over_http) {
    start();
    for (const auto& [path, operations] : get("/api/v1/openapi.json").body["paths"].items()) {
        EXPECT_EQ(path.find("erase"), std::string::npos) << path;
    }
}

TEST_F(changes_test, metrics_count_keys_duplicates_cancellations_sets_and_actions) {
    register_worker();
    session_.exec(
        "select postrider.publish_unique('order.placed', 'billing', 'k' || n % 2)"
        " from generate_series(1, 5) n");
    session_.exec(
        "select postrider.publish_set('import:1', jsonb_build_array(m, m),"
        " '{\"event_type\": \"done\"}') from jsonb_build_object('event_type', 'mail.due',"
        " 'target', 'billing') m");
    session_.exec("select postrider.cancel('{\"unique_key\": \"k1\"}', 'ann', 'x')");
    session_.exec("select count(*) from postrider.claim('" + std::string(worker) + "', 1)");
    start();
    const auto text = get("/metrics").text;
    for (const auto* line :
         {"postrider_consumer_unique_keys{consumer=\"billing\",channel=\"outbox_default\"} 1\n",
          "postrider_unique_duplicates 3\n", "postrider_jobs_cancelled 1\n",
          "postrider_sets_open 1\n", "postrider_set_members_open 2\n", "postrider_sets_refused 0\n",
          "postrider_audited_actions{action=\"cancel\"} 1\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
}

}  // namespace
}  // namespace postrider::test
