#include <set>

#include "serve/operations_fixture.hpp"

// A server whose database role has only the documented rights.
namespace postrider::test {
namespace {

class rights_test : public operations_fixture {
  protected:
    void TearDown() override {
        server_.reset();
        if (!role_.empty()) {
            session_.exec("drop role " + role_);
        }
    }
    /// The server, as a role that is a member of this one alone.
    void start_as(const std::string& group) {
        role_ = "serve_" + std::to_string(session_.backend_pid());
        session_.exec("create role " + role_ + " login in role " + group);
        auto settings = options();
        settings.database += " user=" + role_;
        start(settings);
    }
    void expect_refused(const reply& answer, const std::string& named) const {
        EXPECT_EQ(answer.status, 403) << named << ": " << answer.text;
        EXPECT_EQ(answer.header("Content-Type"), "application/problem+json") << named;
        EXPECT_EQ(answer.body["code"], "permission_denied") << named;
        EXPECT_NE(answer.text.find("database role of this server"), std::string::npos)
            << named << ": " << answer.text;
        EXPECT_NE(answer.text.find("postrider_operator"), std::string::npos)
            << named << ": " << answer.text;
    }

    std::string role_;
};

TEST_F(rights_test, a_server_of_an_operator_shows_and_changes_everything) {
    seed();
    start_as("postrider_operator");
    const auto viewer = token("vic", "viewer");
    ASSERT_TRUE(eventually([&] { return !get("/api/v1/overview").body["history"].empty(); }));
    for (const auto& [path, operations] : document_["paths"].items()) {
        if (!operations.contains("get") || path == "/api/v1/live") {
            continue;
        }
        expect_described(path, "get", operations["get"], "prt_admin");
        if (operations["get"]["x-role"] == "viewer") {
            expect_described(path, "get", operations["get"], viewer);
        }
    }
    each_change([&](const std::string& path, const json& operation) {
        expect_described(path, "post", operation, "prt_admin");
    });
    EXPECT_EQ(value("select count(distinct role) from postrider.audits where role = '" + role_ +
                    "' and actor = 'ann@ops'"),
              "1");
}

TEST_F(rights_test, a_server_with_a_viewer_role_reads_and_explains_refusals) {
    seed();
    start_as("postrider_viewer");
    ASSERT_TRUE(eventually([&] { return !get("/api/v1/overview").body["history"].empty(); }));
    const auto stored = token("vic", "operator");
    EXPECT_EQ(get("/api/v1/me", stored).body["role"], "viewer");
    std::set<std::string> refused;
    for (const auto& [path, operations] : document_["paths"].items()) {
        if (!operations.contains("get") || path == "/api/v1/live") {
            continue;
        }
        if (const auto answer = ask(path, "get", stored); answer.status == 200) {
            expect_described(path, "get", operations["get"], stored);
            EXPECT_EQ(answer.text.find("no answer"), std::string::npos) << path;
            EXPECT_EQ(answer.text.find("hunter2"), std::string::npos) << path;
        } else {
            expect_refused(answer, path);
            refused.insert(path);
        }
    }
    // Their functions hand out error texts or payloads; the doctor names sessions and roles.
    EXPECT_EQ(json(refused),
              json({"/api/v1/dead-letter-groups",
                    "/api/v1/dead-letter-groups/{consumer}/{handler}/{fingerprint}/fields",
                    "/api/v1/dead-letters", "/api/v1/dead-letters/export",
                    "/api/v1/dead-letters/{delivery}", "/api/v1/dead-letters/{delivery}/payload",
                    "/api/v1/deliveries", "/api/v1/discarded", "/api/v1/doctor",
                    "/api/v1/messages/{id}", "/api/v1/messages/{id}/payload"}));
}

TEST_F(rights_test, a_server_of_a_viewer_changes_nothing_and_says_so) {
    seed();
    start_as("postrider_viewer");
    ASSERT_TRUE(eventually([&] { return get("/api/v1/me").body["role"] == "viewer"; }));
    const auto state =
        "select (select count(*) from postrider.audits) || ' ' ||"
        " (select count(*) from postrider.dead_letters) || ' ' ||"
        " (select string_agg(phase, ' ' order by replay) from postrider.replays where actor = "
        "'ann')";
    const auto before = value(state);
    each_change([&](const std::string& path, const json&) {
        if (path.ends_with("/approve")) {
            // The proposal was made by the test itself.
            session_.exec("delete from postrider.audit where action = 'replay_propose'");
        }
        expect_refused(ask(path, "post", "prt_admin"), path);
    });
    EXPECT_EQ(value(state), before);
}

}  // namespace
}  // namespace postrider::test
