#include "serve/auth/session.hpp"

#include "serve/operations_fixture.hpp"

// Sign-in of browsers: a cookie and a key, bound to a token.
namespace postrider::test {
namespace {

using serve::browser_sessions;

class session_test : public operations_fixture {
  protected:
    struct browser {
        std::string cookie;
        std::string key;
        httplib::Headers headers() const {
            return {{"Cookie", cookie}, {"x-postrider-session", key}};
        }
    };
    browser sign_in(const std::string& token) {
        const auto answer = post("/api/v1/session", json::object(), token);
        EXPECT_EQ(answer.status, 201) << answer.text;
        const auto set = answer.header("Set-Cookie");
        return {set.substr(0, set.find(';')), answer.body.value("key", "")};
    }
    reply change(const std::string& path, httplib::Headers with) {
        return post(fill(path), body_for(path), "", std::move(with));
    }
};

TEST_F(session_test, a_browser_is_known_by_its_cookie_and_its_key_together) {
    start();
    const auto vic = sign_in(token("vic", "viewer"));
    const auto other = sign_in(token("oli", "operator"));
    EXPECT_EQ(get("/api/v1/me", "", vic.headers()).body["name"], "vic");
    EXPECT_EQ(get("/api/v1/me", "",
                  {{"Cookie", "a=1; " + other.cookie + "; " + vic.cookie + "; b=2"},
                   {"x-postrider-session", vic.key}})
                  .status,
              200);
    for (const httplib::Headers& some :
         {httplib::Headers{{"Cookie", vic.cookie}},
          {{"x-postrider-session", vic.key}},
          {{"Cookie", vic.cookie}, {"x-postrider-session", other.key}},
          {{"Cookie", vic.cookie + "A"}, {"x-postrider-session", vic.key}}}) {
        EXPECT_EQ(get("/api/v1/me", "", some).status, 401);
    }
    // A bearer token counts alone.
    auto both = vic.headers();
    EXPECT_EQ(get("/api/v1/me", "prt_admin", both).body["name"], "ann@ops");
    EXPECT_EQ(get("/api/v1/me", "prt_wrong", both).status, 401);
}

TEST_F(session_test, the_cookie_is_hidden_from_scripts_other_sites_and_plain_connections) {
    start();
    const auto port = std::to_string(server_->port());
    const auto set = post("/api/v1/session", json::object()).header("Set-Cookie");
    EXPECT_TRUE(set.starts_with("postrider-" + port + "=")) << set;
    EXPECT_TRUE(set.ends_with("; Path=/; HttpOnly; SameSite=Strict; Max-Age=604800")) << set;
    EXPECT_EQ(set.find("prt_"), std::string::npos);
    const auto tls = browser_sessions(true, 443).begin("prt_x").set_cookie;
    EXPECT_TRUE(tls.starts_with("__Host-postrider-443=")) << tls;
    EXPECT_TRUE(tls.ends_with("; Path=/; HttpOnly; SameSite=Strict; Max-Age=604800; Secure"))
        << tls;
    const auto end = post("/api/v1/session/end", json::object(), "");
    EXPECT_EQ(end.status, 200) << end.text;
    EXPECT_EQ(end.header("Set-Cookie"),
              "postrider-" + port + "=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
}

TEST_F(session_test, every_change_of_a_session_needs_the_header_and_the_same_origin) {
    seed();
    start();
    const auto ann = sign_in("prt_admin");
    const auto own = "http://127.0.0.1:" + std::to_string(server_->port());
    int changes = 0;
    for (const auto& [path, operations] : document_["paths"].items()) {
        if (!operations.contains("post")) {
            continue;
        }
        ++changes;
        EXPECT_EQ(change(path, ann.headers()).status, 403) << path << " without x-postrider";
        for (const auto& [name, value] : {std::pair{"Origin", "http://127.0.0.1:1"},
                                          {"Origin", "null"},
                                          {"Sec-Fetch-Site", "same-site"},
                                          {"Sec-Fetch-Site", "cross-site"}}) {
            auto with = ann.headers();
            with.emplace("x-postrider", "1");
            with.emplace(name, value);
            EXPECT_EQ(change(path, with).status, 403) << path << " " << name << " " << value;
        }
    }
    EXPECT_GT(changes, 10);
    // Reading with a cookie is for the same origin, too.
    auto from = ann.headers();
    from.emplace("Sec-Fetch-Site", "same-site");
    EXPECT_EQ(get("/api/v1/me", "", from).status, 403);
    auto good = ann.headers();
    good.merge(
        httplib::Headers{{"x-postrider", "1"}, {"Origin", own}, {"Sec-Fetch-Site", "same-origin"}});
    EXPECT_EQ(change("/api/v1/consumers/{consumer}/pause", good).status, 200);
    EXPECT_EQ(value("select actor from postrider.audits where action = 'pause_consumer'"),
              "ann@ops");
}

TEST_F(session_test, a_session_ends_with_its_token_and_begins_with_a_token_only) {
    start();
    const auto vic = sign_in(token("vic", "viewer"));
    auto with = vic.headers();
    with.emplace("x-postrider", "1");
    EXPECT_EQ(post("/api/v1/session", json::object(), "", with).status, 403);
    EXPECT_EQ(post("/api/v1/session", json::object(), "").status, 401);
    session_.exec("select postrider.revoke_token('vic', 'ann', 'gone')");
    EXPECT_TRUE(eventually([&] { return get("/api/v1/me", "", vic.headers()).status == 401; }));
}

TEST(browser_sessions_test, a_session_ends_after_its_lifetime) {
    const browser_sessions sessions(false, 7432);
    const auto now = browser_sessions::clock::now();
    const auto begun = sessions.begin("prt_x", now);
    const auto cookie = begun.set_cookie.substr(0, begun.set_cookie.find(';'));
    using std::chrono::seconds;
    const auto last = now + browser_sessions::lifetime;
    EXPECT_EQ(sessions.open(cookie, begun.key, last - seconds(2)).value().token, "prt_x");
    EXPECT_FALSE(sessions.open(cookie, begun.key, last + seconds(1)));
    EXPECT_FALSE(browser_sessions(false, 7433).open(cookie, begun.key, now)) << "another port";
    for (const auto* broken : {"", "postrider-7432=", "postrider-7432=!", "postrider-7432=AAAA"}) {
        EXPECT_FALSE(sessions.open(broken, begun.key, now)) << broken;
    }
}

TEST_F(session_test, files_have_immutable_names_and_answers_are_compressed) {
    seed();
    start();
    const httplib::Headers gzip{{"Accept-Encoding", "gzip, deflate, br"}};
    const auto file = "/assets/" + version_of_files() + "/chart.js";
    const auto packed = get(file, "", gzip);
    EXPECT_EQ(packed.header("Content-Encoding"), "gzip");
    EXPECT_EQ(packed.header("Cache-Control"), "public, max-age=31536000, immutable");
    EXPECT_EQ(packed.text, serve::page_file("assets/chart.js")->text);
    EXPECT_LT(std::stoul(packed.header("Content-Length")), packed.text.size() / 2);
    const auto plain = get(file, "");
    EXPECT_EQ(plain.header("Content-Encoding"), "");
    EXPECT_EQ(plain.text, packed.text);
    EXPECT_EQ(get("/assets/0000000000000000/chart.js", "").status, 404);
    EXPECT_EQ(get("/", "").header("Cache-Control"), "no-cache");
    const auto answer = get("/api/v1/dead-letters", "prt_admin", gzip);
    EXPECT_EQ(answer.header("Content-Encoding"), "gzip");
    EXPECT_EQ(answer.text, get("/api/v1/dead-letters").text);
}

}  // namespace
}  // namespace postrider::test
