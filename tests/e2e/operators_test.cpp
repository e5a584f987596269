#include "e2e/operating_fixture.hpp"

namespace postrider::test {
namespace {

using operators = operating_fixture;

TEST_F(operators, every_list_is_a_table_and_json_lines) {
    dead_letter();
    sql("select postrider.publish('order.placed')");
    sql("select postrider.claim($1, 1)", {worker});
    for (const auto* name : {"consumers", "handlers", "leases", "workers", "alerts", "stats"}) {
        const auto table = run({name});
        EXPECT_EQ(table.status, 0) << name << table.output;
        EXPECT_GT(std::ranges::count(table.output, '\n'), 1) << name << table.output;
        const auto lines = run({name, "--json"});
        EXPECT_EQ(json(lines.output, "{}").substr(0, 1), "{") << name << lines.output;
    }
    EXPECT_EQ(json(run({"consumers", "--json"}).output, "{failed}"), "1");
    EXPECT_EQ(json(run({"stats", "--json"}).output, "{in_flight}"), "1");
    EXPECT_EQ(json(run({"workers", "--json"}).output, "{leased}"), "1");
    EXPECT_EQ(json(run({"leases", "--json"}).output, "{messages}"), "1");
    EXPECT_EQ(run({"workers", "--quiet"}).output, std::string(worker) + "\n");
}

TEST_F(operators, a_consumer_is_paused_and_resumed_with_a_reason) {
    EXPECT_EQ(run({"consumers", "pause", "billing"}).status, 64);
    EXPECT_EQ(run({"consumers", "pause", "billing", "--reason", "moving"}).status, 0);
    EXPECT_EQ(json(run({"consumers", "--json"}).output, "{paused}"), "true");
    EXPECT_EQ(run({"consumers", "resume", "billing", "--reason", "moved"}).status, 0);
    EXPECT_EQ(json(run({"consumers", "--json"}).output, "{paused}"), "false");
    EXPECT_TRUE(contains(run({"audits"}).output, "moving"));
}

TEST_F(operators, a_consumer_has_a_number_of_followers_that_raises_an_alert) {
    const auto set = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"consumers", "followers-alert", "billing"});
        return run(options);
    };
    const auto number = [&] {
        return value("select coalesce(followers_alert::text, 'none') from postrider.consumer");
    };
    EXPECT_EQ(set({"500"}).status, 64) << "without a reason";
    EXPECT_EQ(set({"--reason", "few orders"}).status, 64) << "without a number";
    EXPECT_EQ(set({"0", "--reason", "few orders"}).status, 64);
    EXPECT_EQ(set({"500", "--reason", "few orders"}).status, 0);
    EXPECT_EQ(number(), "500");
    EXPECT_EQ(set({"--default", "--reason", "as others"}).status, 0);
    EXPECT_EQ(number(), "none");
    EXPECT_TRUE(contains(run({"audits"}).output, "few orders"));
}

TEST_F(operators, an_unused_consumer_is_removed) {
    dead_letter();
    const auto remove = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"consumers", "remove", "billing", "--reason", "merged"});
        return run(options);
    };
    EXPECT_EQ(remove({}).status, 64) << "without anybody to ask it needs --yes";
    EXPECT_EQ(remove({"--yes", "--owed"}).status, 1) << "its worker is alive";
    sql("update postrider.worker set alive_until = clock_timestamp() - interval '1 second'");
    const auto refused = remove({"--yes"});
    EXPECT_EQ(refused.status, 1);
    EXPECT_TRUE(contains(refused.output, "dead letters 1")) << refused.output;
    const auto removed = remove({"--yes", "--owed", "--json"});
    EXPECT_EQ(json(removed.output, "{failed}"), "1") << removed.output;
    EXPECT_EQ(run({"consumers"}).output, "no consumers\n");
    EXPECT_EQ(remove({"--yes"}).status, 66);
    EXPECT_TRUE(contains(run({"audits"}).output, "remove_consumer"));
}

TEST_F(operators, a_handler_is_held_and_released) {
    const std::vector<std::string> which{"billing", "billing.send_invoice"};
    EXPECT_EQ(run({"handlers", "hold", which[0], which[1], "--reason", "down"}).status, 0);
    EXPECT_EQ(json(run({"handlers", "--json"}).output, "{circuit_state}"), "open");
    EXPECT_EQ(run({"handlers", "force", which[0], which[1], "--reason", "try"}).status, 0);
    EXPECT_EQ(json(run({"handlers", "--json"}).output, "{circuit_mode}"), "forced");
    EXPECT_EQ(run({"handlers", "release", which[0], which[1], "--reason", "up"}).status, 0);
    EXPECT_EQ(json(run({"handlers", "--json"}).output, "{circuit_mode}"), "automatic");
}

TEST_F(operators, retention_has_a_dry_run) {
    EXPECT_TRUE(contains(run({"retention", "status"}).output, "dead_letter"));
    const auto id = dead_letter();
    sql("update postrider.delivery set dead_at = dead_at - interval '100 days',"
        " published_at = published_at - interval '100 days'");
    sql("delete from postrider.message");
    const auto planned = run({"retention", "run", "--dry-run", "--json"}).output;
    EXPECT_EQ(json(planned, "{action}"), "soft_deleted") << planned;
    EXPECT_EQ(run({"dead-letters", "list", "-q"}).output, id + "\n");
    EXPECT_EQ(run({"retention", "run"}).status, 0);
    EXPECT_EQ(run({"dead-letters", "list"}).output, "no dead letters\n");
}

TEST_F(operators, a_viewer_can_read) {
    sql("drop role if exists postrider_test_looker");
    sql("create role postrider_test_looker login in role postrider_viewer");
    postrider_.set("POSTRIDER_DATABASE_URL", database_.conninfo());
    postrider_.set("PGOPTIONS", "-c role=postrider_test_looker");
    const auto id = dead_letter();
    for (const auto* name :
         {"consumers", "handlers", "leases", "workers", "alerts", "audits", "stats"}) {
        const auto looked = run({name, "--json"});
        EXPECT_EQ(looked.status, 0) << name << looked.output;
        EXPECT_FALSE(contains(looked.output, "mail server")) << looked.output;
    }
    EXPECT_EQ(run({"dead-letters", "groups"}).status, 0);
    const auto refused = run({"dead-letters", "show", id});
    EXPECT_EQ(refused.status, 77);
    EXPECT_TRUE(contains(refused.output, "postrider_operator to change")) << refused.output;
    EXPECT_EQ(run({"dead-letters", "discard", "--id", id, "--reason", "x", "--yes"}).status, 77);
    EXPECT_EQ(run({"consumers", "pause", "billing", "--reason", "x"}).status, 77);
    sql("drop role postrider_test_looker");
}

TEST_F(operators, every_command_explains_itself) {
    for (const auto& words : std::vector<std::vector<std::string>>{{"dead-letters"},
                                                                   {"dead-letters", "list"},
                                                                   {"dead-letters", "groups"},
                                                                   {"dead-letters", "show"},
                                                                   {"dead-letters", "replay"},
                                                                   {"dead-letters", "discard"},
                                                                   {"dead-letters", "restore"},
                                                                   {"dead-letters", "edit"},
                                                                   {"replay"},
                                                                   {"replay", "start"},
                                                                   {"replay", "status"},
                                                                   {"replay", "list"},
                                                                   {"replay", "pause"},
                                                                   {"consumers"},
                                                                   {"handlers"},
                                                                   {"leases"},
                                                                   {"workers"},
                                                                   {"alerts"},
                                                                   {"audits"},
                                                                   {"stats"},
                                                                   {"retention"}}) {
        auto asked = words;
        asked.emplace_back("--help");
        const auto help = run(asked);
        EXPECT_EQ(help.status, 0) << words.back() << help.output;
        EXPECT_TRUE(contains(help.output, words.back())) << help.output;
    }
}

TEST_F(operators, a_missing_schema_is_reported_without_sql) {
    const auto missing = run({"replay", "status", "99"});
    EXPECT_EQ(missing.status, 66);
    EXPECT_FALSE(contains(missing.output, "select")) << missing.output;
    EXPECT_EQ(run({"rebase"}).output, "no consumer needed a change\n");
    EXPECT_TRUE(contains(run({"handlers"}).output, "outbox_default"));
    EXPECT_TRUE(contains(run({"workers", "--all"}).output, "until"));
    EXPECT_TRUE(contains(run({"token", "--help"}).output, "postrider token revoke ann"));
    EXPECT_FALSE(contains(run({"version", "--help"}).output, "postrider up --demo"));
    const auto unknown = run({"doctor", "--ignore", "setings"});
    EXPECT_EQ(unknown.status, 64);
    EXPECT_TRUE(contains(unknown.output, "unknown check 'setings'; known: connection,"))
        << unknown.output;
}

}  // namespace
}  // namespace postrider::test
