// Information that an answer must not reveal.
#include "serve/serve_fixture.hpp"

namespace postrider::test {
namespace {

class answers_test : public serve_fixture {};

TEST_F(answers_test,
       discard_restore_and_cancel_say_the_same_of_a_foreign_id_and_of_one_that_does_not_exist) {
    seed();
    start();
    const auto ten = token("ten", "operator", elsewhere);
    const auto foreign = value(
        "select min(delivery_id) from postrider.dead_letters"
        " where workspace_id <> '" +
        std::string(elsewhere) + "'");
    const auto foreign_message =
        value("select id from postrider.dead_letters where delivery_id = " + foreign);
    // Neither dead nor discarded, and discarded.
    const auto waiting = value("select min(id) from postrider.delivery where status = 'pending'");
    const auto discarded =
        value("select min(id) from postrider.delivery where deleted_at is not null");
    ASSERT_NE(discarded, "");
    const auto told = [&](const std::string& path, const std::string& list, std::string id) {
        const auto answer = post(path, {{"filter", {{list, {id}}}}, {"reason", "x"}}, ten);
        auto text = std::to_string(answer.status) + " " + answer.text;
        for (auto at = text.find(id); at != std::string::npos; at = text.find(id)) {
            text.replace(at, id.size(), "ID");
        }
        return text;
    };
    for (const auto* path : {"/api/v1/dead-letters/discard", "/api/v1/dead-letters/restore"}) {
        const auto missing = told(path, "deliveries", "987654321");
        EXPECT_TRUE(missing.starts_with("404 ")) << missing;
        for (const auto& id : {foreign, waiting, discarded}) {
            if (!id.empty()) {
                EXPECT_EQ(told(path, "deliveries", id), missing) << path << " " << id;
            }
        }
        EXPECT_EQ(told(path, "ids", foreign_message),
                  told(path, "ids", "00000000-0000-4000-8000-000000000000"))
            << path;
    }
    const auto pending =
        value("select postrider.publish('a', p_workspace_id => gen_random_uuid())");
    for (const auto& id : {foreign_message, pending}) {
        EXPECT_EQ(told("/api/v1/jobs/cancel", "ids", id),
                  told("/api/v1/jobs/cancel", "ids", "00000000-0000-4000-8000-000000000000"));
    }
    EXPECT_EQ(value("select count(*) from postrider.delivery where id = " + foreign +
                    " and deleted_at is null"),
              "1");
}

TEST_F(answers_test, no_answer_holds_text_of_the_database_about_sql) {
    seed();
    start();
    // Errors of every kind that a request can cause while the schema is damaged.
    session_.exec("drop function postrider.discard(jsonb, text, text, bigint)");
    session_.exec("revoke select on postrider.retention_policy from public");
    session_.exec("alter function postrider.hold_handler rename to hold_handler_gone");
    const std::vector<reply> answers{
        post("/api/v1/dead-letters/discard", {{"filter", json::object()}, {"reason", "x"}}),
        post("/api/v1/handlers/billing/billing.charge/hold", {{"reason", "x"}}),
        post("/api/v1/dead-letters/discard",
             {{"filter", {{"deliveries", {"1; drop table x"}}}}, {"reason", "x"}}),
        post("/api/v1/replays", {{"filter", {{"dead_after", "yesterdayish"}}}, {"reason", "x"}}),
        get("/api/v1/messages?since=never"),
        get("/api/v1/dead-letters?after=bm9uZQ"),
    };
    for (const auto& answer : answers) {
        EXPECT_GE(answer.status, 400);
        for (const auto* sql : {"select ", "postrider.discard(", "hold_handler(", "function",
                                "LINE ", "::", "column", "relation", "postrider."}) {
            EXPECT_EQ(answer.text.find(sql), std::string::npos) << sql << "\n" << answer.text;
        }
    }
}

TEST_F(answers_test, a_role_without_rights_learns_no_names_of_tables) {
    seed();
    session_.exec("revoke all on all tables in schema postrider from public");
    start();
    session_.exec("create role \"" + database_.name() + "_low\" login in role postrider_viewer");
    auto settings = options();
    settings.database = database_.conninfo() + " user=" + database_.name() + "_low";
    start(settings);
    for (const auto& answer :
         {get("/api/v1/audits"), get("/api/v1/settings"), get("/api/v1/alerts"),
          get("/api/v1/retention"), get("/api/v1/dead-letters"), get("/api/v1/overview")}) {
        EXPECT_EQ(answer.text.find("permission denied for"), std::string::npos) << answer.text;
    }
    server_.reset();
    session_.exec("drop role \"" + database_.name() + "_low\"");
}

}  // namespace
}  // namespace postrider::test
