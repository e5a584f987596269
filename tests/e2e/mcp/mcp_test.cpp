#include "e2e/mcp/mcp_fixture.hpp"

namespace postrider::test {
namespace {

using mcp_test = mcp_fixture;

TEST_F(mcp_test, an_agent_lists_the_tools) {
    start();
    const auto hello = agent_->ask(
        R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-03-26",)"
        R"("capabilities":{},"clientInfo":{"name":"x","version":"1"}}})");
    EXPECT_EQ(json(hello, "{id}"), "a") << hello;
    EXPECT_EQ(json(hello, "{result,protocolVersion}"), "2025-03-26");
    EXPECT_EQ(json(hello, "{result,serverInfo,name}"), "postrider");
    EXPECT_EQ(json(hello, "{result,capabilities,tools,listChanged}"), "false");
    EXPECT_EQ(
        json(ask("initialize", R"({"protocolVersion":"1999-01-01"})"), "{result,protocolVersion}"),
        "2025-06-18");
    EXPECT_EQ(json(ask("ping"), "{result}"), "{}");
    const auto tools = ask("tools/list");
    EXPECT_EQ(
        value(
            "select string_agg(t ->> 'name' || case when t #>> '{annotations,readOnlyHint}' = "
            "'true'"
            " then '' else '!' end, ' ') from jsonb_array_elements($1::jsonb #> '{result,tools}') t"
            " where t #>> '{inputSchema,type}' = 'object'",
            {tools}),
        "overview doctor list_consumers list_dlq_groups list_dlq_events get_dlq_event_detail"
        " preview_replay replay_dlq_event! replay_status");
    EXPECT_EQ(agent_->wait(), 0);
}

TEST_F(mcp_test, dead_letters_are_listed_by_pages_and_shown_without_their_payloads) {
    for (int i = 0; i < 3; ++i) {
        dead_letter("mail server did not answer", R"({"card": "secret-4711"})");
    }
    start();
    const auto groups = call("list_dlq_groups");
    EXPECT_EQ(found(groups, "groups,0,count"), "3") << groups;
    auto page =
        call("list_dlq_events", R"({"limit": 2, "filter": {"handler": "billing.send_invoice"}})");
    EXPECT_EQ(found(page, "events,1,error_class"), "timeout") << page;
    EXPECT_EQ(found(page, "events,2"), "");
    page =
        call("list_dlq_events", R"({"limit": 2, "cursor": ")" + found(page, "next_cursor") + "\"}");
    EXPECT_NE(found(page, "events,0,delivery_id"), "") << page;
    EXPECT_EQ(found(page, "events,1"), "");
    EXPECT_EQ(found(page, "next_cursor"), "");
    const auto id = found(page, "events,0,delivery_id");
    const auto detail = call("get_dlq_event_detail", R"({"id": ")" + id + "\"}");
    EXPECT_EQ(found(detail, "events,0,similar"), "2") << detail;
    EXPECT_EQ(found(detail, "events,0,last_error"), "mail server did not answer");
    // The text and the structure have the same content.
    EXPECT_EQ(value("select $1::jsonb #>> '{result,content,0,text}' = ($1::jsonb #> "
                    "'{result,structuredContent}')::text"
                    " or ($1::jsonb #>> '{result,content,0,text}')::jsonb = $1::jsonb #> "
                    "'{result,structuredContent}'",
                    {detail}),
              "t");
    EXPECT_FALSE(contains(detail + page + groups, "secret-4711")) << detail;
    start({"--payloads"});
    EXPECT_EQ(
        found(call("get_dlq_event_detail", R"({"id": ")" + id + "\"}"), "events,0,payload,card"),
        "secret-4711");
    EXPECT_EQ(value("select string_agg(action || ' by ' || actor, ', ') from postrider.audits"),
              "reveal by agent:unnamed for ann@ops");
}

TEST_F(mcp_test, a_payload_with_a_number_beyond_a_double_is_shown_as_text) {
    const auto id = dead_letter("mail server did not answer", R"({"n": 1e400})");
    start({"--payloads"});
    const auto detail = call("get_dlq_event_detail", R"({"id": ")" + id + "\"}");
    EXPECT_TRUE(contains(found(detail, "events,0,payload"), R"({"n": 1000)")) << detail;
}

TEST_F(mcp_test, the_whole_is_seen_at_one_glance) {
    dead_letter();
    start();
    EXPECT_EQ(found(call("overview"), "totals,dead_letters"), "1");
    EXPECT_EQ(found(call("list_consumers"), "consumers,0,consumer"), "billing");
    EXPECT_EQ(found(call("list_consumers", R"({"consumer": "billing"})"), "handlers,0,handler"),
              "billing.send_invoice");
    EXPECT_NE(found(call("doctor"), "findings,0,what"), "");
}

TEST_F(mcp_test, a_replay_it_asks_for_waits_until_a_person_approves_it) {
    const auto delivery = dead_letter();
    start();
    initialize();
    const auto made =
        call("replay_dlq_event", R"({"id": ")" + delivery + R"(", "reason": "mail is back"})");
    EXPECT_EQ(found(made, "phase"), "proposed") << made;
    EXPECT_EQ(found(made, "total"), "1");
    EXPECT_EQ(found(made, "preview,samples,0,delivery"), delivery);
    EXPECT_EQ(value("select count(*) from postrider.dead_letters"), "1");
    EXPECT_EQ(value("select action || ' by ' || actor || ': ' || reason from postrider.audits"),
              "replay_propose by agent:night-watch for ann@ops: mail is back");
    EXPECT_EQ(found(call("replay_status", R"({"replay": 1})"), "replay,phase"), "proposed");

    EXPECT_TRUE(contains(run({"replay", "list", "--proposed"}).output, "agent:night-watch"));
    const auto shown = run({"replay", "status", "1"});
    EXPECT_TRUE(contains(shown.output, "1 dead letter\n")) << shown.output;
    EXPECT_TRUE(contains(shown.output, "postrider replay approve 1 --reason")) << shown.output;
    EXPECT_EQ(run({"replay", "status", "1", "--wait"}).status, 1);
    EXPECT_EQ(run({"replay", "approve", "1", "--yes"}).status, 64) << "without a reason";
    EXPECT_EQ(run({"replay", "approve", "1", "--reason", "fine"}).status, 64) << "not a terminal";
    const auto approved = run({"replay", "approve", "1", "--yes", "--reason", "looked at it"});
    EXPECT_EQ(approved.status, 0) << approved.output;
    EXPECT_EQ(run({"replay", "approve", "1", "--yes", "--reason", "again"}).status, 1);
    run_until(1, "delivered");
    sql("select postrider.replay_step()");
    const auto end = call("replay_status", R"({"replay": 1})");
    EXPECT_EQ(found(end, "replay,phase"), "finished") << end;
    EXPECT_TRUE(found(end, "replay,approved_by").starts_with("ann@")) << end;
    EXPECT_EQ(found(end, "summary"), "1 delivered, 0 died again");
}

TEST_F(mcp_test, it_replays_the_previewed_dead_letters_or_is_refused) {
    dead_letter();
    start();
    const auto shown = call("preview_replay", R"({"filter": {"error_class": "timeout"}})");
    EXPECT_EQ(found(shown, "total"), "1") << shown;
    dead_letter();
    const auto ask_for = [&](const std::string& filter) {
        return call("replay_dlq_event",
                    R"({"reason": "back", "expected": 1, "filter": )" + filter + "}");
    };
    EXPECT_TRUE(contains(complaint(ask_for(R"({"error_class": "timeout"})")),
                         "matches 2 dead letters, 1 were expected"));
    EXPECT_EQ(value("select count(*) from postrider.replays"), "0");
    const auto made = ask_for(found(shown, "filter"));
    EXPECT_EQ(found(made, "total"), "1") << made;
    EXPECT_EQ(code(call("preview_replay", R"({"filter": {}})")), "-32602");
}

TEST_F(mcp_test, those_that_died_again_in_a_replay_are_a_filter) {
    dead_letter();
    start({"--replay", "direct"});
    call("replay_dlq_event", R"({"filter": {"error_class": "timeout"}, "reason": "back"})");
    run_until(1, "terminal");
    dead_letter();
    EXPECT_EQ(found(call("preview_replay", R"({"filter": {"replay": "1"}})"), "total"), "1");
}

TEST_F(mcp_test, it_may_be_allowed_to_replay_by_itself) {
    dead_letter();
    start({"--replay", "direct", "--agent", "robot"});
    const auto made =
        call("replay_dlq_event",
             R"({"filter": {"error_class": "timeout"}, "reason": "back", "rate": 10})");
    EXPECT_EQ(found(made, "phase"), "running") << made;
    run_until(1, "delivered");
    EXPECT_EQ(value("select actor from postrider.audits"), "agent:robot for ann@ops");
}

TEST_F(mcp_test, invalid_requests_are_refused_without_changes) {
    dead_letter();
    start();
    EXPECT_EQ(code(ask("resources/list")), "-32601");
    EXPECT_EQ(code(call("drop_everything")), "-32602");
    EXPECT_EQ(code(ask("tools/call", R"({"name": 1})")), "-32602");
    EXPECT_EQ(code(ask("tools/call", R"({"name": "overview", "arguments": []})")), "-32602");
    EXPECT_EQ(code(call("overview", R"({"x": 1})")), "-32602");
    EXPECT_EQ(code(call("list_dlq_events", R"({"limit": 1000})")), "-32602");
    EXPECT_EQ(code(call("list_dlq_events", R"({"cursor": "1@x'; drop"})")), "-32602");
    EXPECT_EQ(code(call("get_dlq_event_detail")), "-32602");
    EXPECT_EQ(code(call("replay_status", R"({"replay": "1"})")), "-32602");
    EXPECT_EQ(code(call("replay_dlq_event", R"({"reason": "x"})")), "-32602");
    EXPECT_EQ(code(call("replay_dlq_event", R"({"filter": {}, "reason": "x"})")), "-32602");
    EXPECT_TRUE(
        contains(complaint(call("get_dlq_event_detail", R"({"id": "no-uuid"})")), "no-uuid"));
    EXPECT_TRUE(
        contains(complaint(call("get_dlq_event_detail", R"({"id": "999"})")), "not a dead letter"));
    EXPECT_TRUE(
        contains(complaint(call("list_dlq_events", R"({"filter": {"handlr": "x"}})")), "handlr"));
    EXPECT_TRUE(
        contains(complaint(call("replay_status", R"({"replay": 9})")), "there is no replay 9"));
    EXPECT_TRUE(contains(complaint(call("replay_dlq_event", R"({"id": "999", "reason": "x"})")),
                         "no dead letter"));
    EXPECT_TRUE(contains(complaint(call("replay_dlq_event", R"({"filter": {"source": "shop"}})")),
                         "reason"));
    EXPECT_EQ(value("select count(*) from postrider.replays"), "0");
    EXPECT_EQ(value("select count(*) from postrider.audits"), "0");
}

TEST_F(mcp_test, it_survives_its_database) {
    start();
    EXPECT_EQ(complaint(call("overview")), "");
    sql("select pg_terminate_backend(pid) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid()");
    EXPECT_NE(complaint(call("overview")), "");
    EXPECT_EQ(complaint(call("overview")), "");
}

TEST_F(mcp_test, a_viewer_can_look_and_not_propose) {
    const auto name = "mcp_viewer_" + std::to_string(session_.backend_pid());
    const auto delivery = dead_letter("secret-4711");
    sql(("create role " + name + " login in role postrider_viewer").c_str());
    start({"--database", database_.conninfo() + " user=" + name});
    EXPECT_EQ(found(call("overview"), "totals,dead_letters"), "1");
    EXPECT_EQ(found(call("list_dlq_groups"), "groups,0,count"), "1");
    const auto detail = call("get_dlq_event_detail", R"({"id": ")" + delivery + "\"}");
    EXPECT_EQ(found(detail, "events,0,error_class"), "timeout") << detail;
    EXPECT_FALSE(contains(detail, "secret-4711")) << detail;
    EXPECT_NE(
        complaint(call("replay_dlq_event", R"({"id": ")" + delivery + R"(", "reason": "x"})")), "");
    EXPECT_EQ(value("select count(*) from postrider.replays"), "0");
    agent_->wait();
    sql(("drop role " + name).c_str());
}

}  // namespace
}  // namespace postrider::test
