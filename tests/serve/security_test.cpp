#include <postrider/error.hpp>

#include "base/encoding/sha256.hpp"
#include "serve/auth/secret.hpp"
#include "serve/serve_fixture.hpp"
#include "support/process.hpp"
#include "support/raw_connection.hpp"
#include "support/scratch_directory.hpp"

// Authentication, and requests that are refused.
namespace postrider::test {
namespace {

class security_test : public serve_fixture {
  protected:
    using raw = raw_connection;

    reply with_host(const std::string& host) const { return get("/healthz", "", {{"Host", host}}); }
    const json discard_{{"filter", {{"ids", json::array()}}}, {"reason", "x"}};
};

TEST_F(security_test, without_a_token_nothing_is_shown) {
    start();
    for (const auto* token : {"", "prt_wrong", "prt_adminx"}) {
        const auto answer = get("/api/v1/overview", token);
        EXPECT_EQ(answer.status, 401) << token;
        EXPECT_EQ(answer.body["code"], "unauthenticated");
        EXPECT_EQ(answer.header("WWW-Authenticate"), "Bearer");
    }
    EXPECT_EQ(get("/metrics", "").status, 401);
    EXPECT_EQ(get("/healthz", "").status, 200);
    EXPECT_EQ(get("/", "").status, 200);
}

TEST_F(security_test, the_scheme_of_a_token_may_be_written_in_any_case) {
    start();
    EXPECT_EQ(get("/api/v1/me", "", {{"Authorization", "bearer prt_admin"}}).status, 200);
    EXPECT_EQ(get("/api/v1/me", "", {{"Authorization", "basic prt_admin"}}).status, 401);
}

TEST_F(security_test, a_token_is_good_until_it_is_revoked_or_expires) {
    start();
    const auto ann = token("ann", "viewer");
    EXPECT_EQ(get("/api/v1/me", ann).body["name"], "ann");
    EXPECT_EQ(value("select count(*) from postrider.access_token where encode(sha256, 'escape') "
                    "like '%prt%' or name like '%prt%'"),
              "0");
    session_.exec("select postrider.revoke_token('ann', 'bob', 'left')");
    EXPECT_TRUE(eventually([&] { return get("/api/v1/me", ann).status == 401; }));
    const auto eve = token("eve", "viewer");
    session_.exec(
        "update postrider.access_token set expires_at = clock_timestamp()"
        " where name = 'eve'");
    EXPECT_TRUE(eventually([&] { return get("/api/v1/me", eve).status == 401; }));
}

TEST_F(security_test, a_viewer_sees_no_payloads_no_error_texts_and_changes_nothing) {
    seed();
    start();
    const auto viewer = token("vic", "viewer");
    const auto dead = value("select delivery_id from postrider.dead_letters where cycle = 2");
    const auto id = value("select id from postrider.dead_letters where cycle = 2");
    for (const auto& path :
         {"/api/v1/dead-letters", "/api/v1/dead-letter-groups", "/api/v1/discarded",
          "/api/v1/alerts", "/api/v1/audits", "/api/v1/handlers", "/api/v1/messages",
          "/api/v1/deliveries?status=failed"}) {
        const auto answer = get(path, viewer);
        EXPECT_EQ(answer.status, 200) << path;
        EXPECT_EQ(answer.text.find("no answer"), std::string::npos) << answer.text;
        EXPECT_EQ(answer.text.find("hunter2"), std::string::npos) << answer.text;
    }
    EXPECT_EQ(get("/api/v1/dead-letters/" + dead, viewer).text.find("no answer"),
              std::string::npos);
    EXPECT_EQ(get("/api/v1/messages/" + id, viewer).text.find("no answer"), std::string::npos);
    for (const auto& path :
         {"/api/v1/dead-letters/" + dead + "/payload", "/api/v1/messages/" + id + "/payload",
          std::string("/api/v1/dead-letters?error=a")}) {
        EXPECT_EQ(get(path, viewer).status, 403) << path;
    }
    EXPECT_EQ(post("/api/v1/dead-letters/discard", discard_, viewer).status, 403);
    EXPECT_EQ(value("select count(*) from postrider.audits where actor = 'vic'"), "0");
}

TEST_F(security_test, only_an_admin_sees_before_and_after_of_a_change) {
    seed();
    start();
    const auto ann = token("ann", "operator");
    const auto dead = value("select min(delivery_id) from postrider.dead_letters");
    ASSERT_EQ(post("/api/v1/dead-letters/" + dead + "/edit",
                   {{"payload", {{"n", 2}}}, {"reason", "typo"}}, ann)
                  .status,
              200);
    EXPECT_EQ(get("/api/v1/audits", ann).text.find("hunter2"), std::string::npos);
    EXPECT_NE(get("/api/v1/audits").text.find("hunter2"), std::string::npos);
}

TEST_F(security_test, a_token_of_a_workspace_sees_and_changes_that_one_only) {
    seed();
    start();
    const auto ten = token("ten", "operator", elsewhere);
    const auto rows = get("/api/v1/dead-letters", ten).body["rows"];
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0]["workspace_id"], elsewhere);
    EXPECT_EQ(get("/api/v1/dead-letter-groups", ten).body["rows"].size(), 1U);
    EXPECT_EQ(get("/api/v1/messages", ten).body["rows"].size(), 1U);
    EXPECT_EQ(get("/api/v1/replays", ten).body["rows"].size(), 0U);
    EXPECT_EQ(get("/api/v1/deliveries?status=failed", ten).body["rows"].size(), 1U);
    const auto other = value("select delivery_id from postrider.dead_letters where cycle = 2");
    const auto id = value("select id from postrider.dead_letters where cycle = 2");
    const auto replay = value("select max(replay) from postrider.replays");
    for (const auto& path :
         {"/api/v1/dead-letters/" + other, "/api/v1/dead-letters/" + other + "/payload",
          "/api/v1/messages/" + id, "/api/v1/messages/" + id + "/payload",
          "/api/v1/replays/" + replay, "/api/v1/replays/" + replay + "/items"}) {
        EXPECT_EQ(get(path, ten).status, 404) << path;
    }
    for (const auto& path :
         {"/api/v1/audits", "/api/v1/alerts", "/api/v1/workers", "/api/v1/leases",
          "/api/v1/blocked-keys", "/api/v1/unique-keys", "/api/v1/limits", "/api/v1/brokers",
          "/api/v1/sets", "/api/v1/settings", "/api/v1/retention", "/api/v1/unmatched",
          "/api/v1/overview", "/api/v1/live", "/metrics"}) {
        const auto answer = get(path, ten);
        EXPECT_EQ(answer.status, 403) << path;
        EXPECT_EQ(answer.body["detail"], "a token of one workspace cannot use this route") << path;
    }
    EXPECT_EQ(post("/api/v1/consumers/billing/pause", {{"reason", "x"}}, ten).status, 403);
    EXPECT_EQ(
        post("/api/v1/dead-letters/" + other + "/edit", {{"payload", 1}, {"reason", "x"}}, ten)
            .status,
        404);
    EXPECT_EQ(post("/api/v1/dead-letters/discard",
                   {{"filter", {{"workspace_id", workspace}}}, {"reason", "x"}}, ten)
                  .status,
              403);
    EXPECT_EQ(
        post("/api/v1/dead-letters/discard", {{"filter", json::object()}, {"reason", "x"}}, ten)
            .body["count"],
        1);
    EXPECT_EQ(value("select count(*) from postrider.dead_letters"), "3");
}

TEST_F(security_test, a_token_of_a_workspace_learns_no_number_that_others_are_part_of) {
    seed();
    start();
    const auto ten = token("ten", "operator", elsewhere);
    const auto consumer = get("/api/v1/consumers", ten).body["rows"][0];
    EXPECT_EQ(consumer["consumer"], "billing");
    EXPECT_EQ(consumer["paused"], false);
    for (const auto* figure : {"open_leases", "leased", "pending", "failed", "behind_since"}) {
        EXPECT_FALSE(consumer.contains(figure)) << consumer.dump();
        EXPECT_TRUE(get("/api/v1/consumers").body["rows"][0].contains(figure)) << figure;
    }
    const auto handler = get("/api/v1/handlers", ten).body["rows"][0];
    EXPECT_EQ(handler["circuit_mode"], "automatic");
    for (const auto* figure : {"pending", "failed", "next_due_at", "circuit_error"}) {
        EXPECT_FALSE(handler.contains(figure)) << handler.dump();
        EXPECT_TRUE(get("/api/v1/handlers").body["rows"][0].contains(figure)) << figure;
    }
    EXPECT_EQ(get("/api/v1/dead-letter-groups", ten).body["rows"][0]["count"], 1);
}

TEST_F(security_test, a_change_must_not_be_one_that_another_page_could_send) {
    start();
    const std::string own = "http://127.0.0.1:" + std::to_string(server_->port());
    const auto with = [&](httplib::Headers more) {
        return post("/api/v1/consumers/x/pause", {{"reason", "x"}}, "prt_admin", more).status;
    };
    EXPECT_EQ(with({{"x-postrider", "1"}}), 404);
    EXPECT_EQ(with({{"x-postrider", "1"}, {"Origin", own}, {"Sec-Fetch-Site", "same-origin"}}),
              404);
    EXPECT_EQ(with({}), 403);
    EXPECT_EQ(with({{"x-postrider", "1"}, {"Origin", "http://evil.example"}}), 403);
    EXPECT_EQ(with({{"x-postrider", "1"}, {"Origin", "null"}}), 403);
    EXPECT_EQ(with({{"x-postrider", "1"}, {"Sec-Fetch-Site", "cross-site"}}), 403);
    EXPECT_EQ(with({{"x-postrider", "1"}, {"Sec-Fetch-Site", "same-site"}}), 403);
    auto http = client();
    for (const auto* type :
         {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"}) {
        EXPECT_EQ(reply_of(http.Post("/api/v1/consumers/x/pause",
                                     {{"Authorization", "Bearer prt_admin"}, {"x-postrider", "1"}},
                                     R"({"reason":"x"})", type))
                      .status,
                  415)
            << type;
    }
    EXPECT_EQ(reply_of(http.Put("/api/v1/consumers/x/pause", bearer("prt_admin"), "{}",
                                "application/json"))
                  .status,
              405);
}

TEST_F(security_test, names_that_others_gave_this_address_are_refused) {
    auto settings = options();
    settings.allowed_hosts = {"ops.example.org"};
    start(settings);
    const auto port = ":" + std::to_string(server_->port());
    EXPECT_EQ(with_host("localhost" + port).status, 200);
    EXPECT_EQ(with_host("127.0.0.1" + port).status, 200);
    EXPECT_EQ(with_host("ops.example.org").status, 200);
    EXPECT_EQ(with_host("evil.example" + port).status, 421);
    EXPECT_EQ(with_host("localhost:1").status, 421);
    EXPECT_EQ(with_host("127.0.0.1.evil.example" + port).status, 421);
}

TEST_F(security_test, every_answer_tells_the_browser_to_be_strict) {
    start();
    for (const auto& answer : {get("/", ""), get("/api/v1/me"), get("/api/v1/me", ""),
                               get("/nothing", ""), get("/assets/0/chart.js", "")}) {
        const auto policy = answer.header("Content-Security-Policy");
        EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
        EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
        EXPECT_EQ(policy.find("unsafe"), std::string::npos);
        EXPECT_EQ(answer.header("X-Content-Type-Options"), "nosniff");
        EXPECT_EQ(answer.header("Referrer-Policy"), "no-referrer");
        EXPECT_EQ(answer.header("Set-Cookie"), "");
        EXPECT_EQ(answer.header("Access-Control-Allow-Origin"), "");
    }
}

TEST_F(security_test, the_policy_allows_no_script_in_a_document_but_the_one_of_the_page) {
    start();
    const auto page = get("/", "");
    const auto first = page.text.find("<script>") + std::string_view("<script>").size();
    const auto script = page.text.substr(first, page.text.find("</script>") - first);
    EXPECT_NE(script.find("postrider.theme"), std::string::npos);
    const auto digest = sha256(script);
    const auto allowed =
        "'sha256-" +
        serve::base64url({reinterpret_cast<const char*>(digest.data()), digest.size()}) + "='";
    EXPECT_NE(page.header("Content-Security-Policy").find("script-src 'self' " + allowed + ";"),
              std::string::npos);
}

TEST_F(security_test, a_body_that_is_too_large_is_refused_before_it_is_read) {
    start();
    const auto large = json{{"reason", std::string(1 << 20, 'x')}};
    EXPECT_EQ(post("/api/v1/consumers/x/pause", large).status, 413);
    // An edit may be larger.
    EXPECT_EQ(post("/api/v1/dead-letters/1/edit",
                   {{"payload", std::string(2 << 20, 'x')}, {"reason", "x"}})
                  .status,
              404);
    EXPECT_EQ(post("/api/v1/dead-letters/1/edit",
                   {{"payload", std::string(11 << 20, 'x')}, {"reason", "x"}})
                  .status,
              413);
    const raw chunked(server_->port());
    chunked.send("POST /api/v1/consumers/x/pause HTTP/1.1\r\nHost: 127.0.0.1:" +
                 std::to_string(server_->port()) +
                 "\r\nAuthorization: Bearer prt_admin\r\nx-postrider: 1\r\nContent-Type: "
                 "application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
    EXPECT_TRUE(chunked.read_to_end().starts_with("HTTP/1.1 411"));
}

TEST_F(security_test, requests_are_rate_limited) {
    auto settings = options();
    settings.requests_per_s = 0.1;
    settings.burst = 3;
    start(settings);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(get("/api/v1/me").status, 200);
    }
    const auto refused = get("/api/v1/me");
    EXPECT_EQ(refused.status, 429);
    EXPECT_GE(std::stoi(refused.header("Retry-After")), 1);
    EXPECT_EQ(refused.body["code"], "too_many_requests");
    EXPECT_EQ(get("/api/v1/me", token("ann", "viewer")).status, 200);
}

TEST_F(security_test, guessing_tokens_becomes_slow) {
    start();
    int status = 401;
    for (int i = 0; i < 30 && status == 401; ++i) {
        status = get("/api/v1/me", "prt_guess" + std::to_string(i)).status;
    }
    EXPECT_EQ(status, 429);
    EXPECT_EQ(get("/api/v1/me").status, 200);
}

TEST_F(security_test, guesses_that_cannot_be_tokens_do_not_delay_one_that_is_new_to_the_server) {
    auto settings = options();
    settings.guesses_burst = 1000;  // as if each guess came from another address
    settings.lookups_per_s = 0.01;
    settings.lookups_burst = 3;
    start(settings);
    const auto ann = token("ann", "viewer");
    for (int i = 0; i < 20; ++i) {
        auto guess = serve::make_token();
        guess[10] = guess[10] == 'x' ? 'y' : 'x';
        EXPECT_EQ(get("/api/v1/me", guess).status, 401) << i;
    }
    EXPECT_EQ(get("/api/v1/me", ann).status, 200);
    // A guess with the checksum costs a query.
    int status = 401;
    for (int i = 0; i < 4 && status == 401; ++i) {
        status = get("/api/v1/me", serve::make_token()).status;
    }
    EXPECT_EQ(status, 429);
}

TEST(token_form, a_token_has_a_prefix_and_a_checksum) {
    const auto made = serve::make_token();
    EXPECT_TRUE(serve::is_token(made));
    EXPECT_EQ(made.rfind("prt_", 0), 0U);
    for (std::size_t i = 0; i < made.size(); ++i) {
        auto typo = made;
        typo[i] = typo[i] == 'a' ? 'b' : 'a';
        EXPECT_FALSE(serve::is_token(typo)) << typo;
    }
    EXPECT_FALSE(serve::is_token(""));
    EXPECT_FALSE(serve::is_token(made + "a"));
    EXPECT_FALSE(serve::is_token(made.substr(0, made.size() - 1)));
}

TEST_F(security_test, a_client_that_is_slow_is_cut_off) {
    auto settings = options();
    settings.read_time = std::chrono::milliseconds(300);
    settings.idle_time = std::chrono::milliseconds(300);
    start(settings);
    const auto began = std::chrono::steady_clock::now();
    const raw silent(server_->port());
    EXPECT_EQ(silent.read_to_end(), "");
    const raw slow(server_->port());
    // A client that sends single bytes slowly is disconnected.
    for (int i = 0; i < 100 && slow.send("G") && !slow.hears_within(20); ++i) {
    }
    EXPECT_EQ(slow.read_to_end().find("200 OK"), std::string::npos);
    const raw endless(server_->port());
    std::string head = "GET /healthz HTTP/1.1\r\n";
    for (int i = 0; i < 2000; ++i) {
        head += "x-" + std::to_string(i) + ": " + std::string(40, 'x') + "\r\n";
    }
    endless.send(head);
    EXPECT_EQ(endless.read_to_end().find("200 OK"), std::string::npos);
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
    EXPECT_EQ(get("/healthz", "").status, 200);
}

TEST_F(security_test, an_address_for_others_needs_tls_and_a_token) {
    const scratch_directory place;
    const auto key = (place.path() / "key.pem").string();
    const auto certificate = (place.path() / "cert.pem").string();
    ASSERT_EQ(
        run({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
             "-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate})
            .status,
        0);
    auto settings = options();
    settings.address = "0.0.0.0";
    EXPECT_THROW(serve::server{settings}, error);
    settings.certificate = certificate;
    settings.private_key = key;
    EXPECT_THROW(serve::server{settings}, error);
    const auto ann = token("ann", "viewer");
    const auto port = [&] {
        server_ = std::make_unique<serve::server>(settings);
        return server_->port();
    }();
    httplib::SSLClient http("127.0.0.1", port);
    http.enable_server_certificate_verification(false);
    const auto me = reply_of(http.Get("/api/v1/me", {{"Authorization", "Bearer " + ann},
                                                     {"Host", "0.0.0.0:" + std::to_string(port)}}));
    EXPECT_EQ(me.status, 200) << me.text;
    EXPECT_EQ(me.body["name"], "ann");
    // A request without TLS gets no answer.
    EXPECT_EQ(get("/healthz", "").status, 0);
}

}  // namespace
}  // namespace postrider::test
