#include "e2e/operating_fixture.hpp"

namespace postrider::test {
namespace {

class limit_command : public operating_fixture {
  protected:
    finished_process limit(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "limit");
        return run(std::move(arguments));
    }
};

TEST_F(limit_command, a_dry_run_shows_the_effect_and_changes_nothing) {
    const std::vector<std::string> set{"set",           "billing", "billing.send_invoice",
                                       "--concurrency", "1",       "--dry-run"};
    const auto seen = limit(set);
    EXPECT_EQ(seen.status, 0) << seen.output;
    EXPECT_TRUE(contains(seen.output, "would be created; nothing was changed")) << seen.output;
    EXPECT_TRUE(contains(seen.output, "messages beyond the limit wait")) << seen.output;
    EXPECT_EQ(limit({"list"}).output, "no limits\n");
    auto done = set;
    done.back() = "--reason";
    done.push_back("quota");
    EXPECT_EQ(limit(done).status, 0);
    value("select postrider.publish('a') from generate_series(1, 3)");
    EXPECT_EQ(value("select count(*) from postrider.claim($1, 10)", {worker}), "1");
    const auto removal = limit({"remove", "billing", "billing.send_invoice", "--dry-run"});
    EXPECT_TRUE(contains(removal.output, "would be removed; nothing was changed"))
        << removal.output;
    EXPECT_TRUE(contains(removal.output, "2 throttled")) << removal.output;
    auto as_json = set;
    as_json.emplace_back("--json");
    EXPECT_EQ(json(limit(as_json).output, "{result}"), "unchanged");
    EXPECT_EQ(value("select string_agg(action, ',') from postrider.audits"), "set_limit");
}

TEST_F(limit_command, a_limit_is_set_listed_and_removed) {
    EXPECT_EQ(limit({"list"}).output, "no limits\n");
    const auto made =
        limit({"set", "billing", "billing.send_invoice", "--concurrency", "10", "--key",
               "workspace_id", "--per-key", "2", "--rate", "100/1m", "--burst", "10", "--key-rate",
               "5/1s", "--weight", "a=b=3", "--reason", "quota"});
    EXPECT_EQ(made.output, "the limit of billing.send_invoice is created\n");
    const auto listed = limit({"list", "--json"}).output;
    EXPECT_EQ(json(listed, "{definition,concurrency}"), "10") << listed;
    EXPECT_EQ(json(listed, "{definition,rate,period}"), "00:01:00") << listed;
    EXPECT_EQ(json(listed, "{definition,rate,burst}"), "10") << listed;
    EXPECT_EQ(json(listed, "{definition,key_rate,burst}"), "5") << listed;
    EXPECT_EQ(json(listed, "{definition,weights,a=b}"), "3") << listed;
    EXPECT_EQ(limit({"list", "--quiet"}).output, "billing.send_invoice\n");
    const auto changed = limit({"set", "billing", "billing.send_invoice", "--concurrency", "1",
                                "--reason", "less", "--json"});
    EXPECT_EQ(json(changed.output, "{result}"), "changed") << changed.output;
    value("select postrider.publish('a') from generate_series(1, 3)");
    EXPECT_EQ(value("select count(*) from postrider.claim($1, 10)", {worker}), "1");
    EXPECT_EQ(json(limit({"list", "--json"}).output, "{throttled}"), "2");
    EXPECT_TRUE(contains(limit({"list"}).output, "throttled"));
    EXPECT_EQ(limit({"remove", "billing", "billing.send_invoice"}).status, 64)
        << "without a reason";
    EXPECT_EQ(limit({"remove", "billing", "billing.send_invoice", "--reason", "over"}).output,
              "billing.send_invoice has no limit\n");
    EXPECT_EQ(limit({"remove", "billing", "billing.send_invoice", "--reason", "over"}).status, 66);
    EXPECT_EQ(value("select count(*) from postrider.claim($1, 10)", {worker}), "2");
    EXPECT_TRUE(contains(run({"audits"}).output, "remove_limit"));
}

TEST_F(limit_command, bad_limits_are_refused) {
    for (const auto& [option, text] :
         {std::pair{"--rate", "100"}, std::pair{"--rate", "x/1m"}, std::pair{"--rate", "5/soon"},
          std::pair{"--weight", "a"}, std::pair{"--burst", "5"}, std::pair{"--concurrency", "0"},
          std::pair{"--per-key", "1"}, std::pair{"--key", "payload"}}) {
        const auto refused =
            limit({"set", "billing", "billing.send_invoice", option, text, "--reason", "test"});
        EXPECT_EQ(refused.status, 64) << option << ' ' << text << ": " << refused.output;
    }
    EXPECT_EQ(limit({"set", "billing", "billing.send_invoice", "--reason", "test"}).status, 64);
}

}  // namespace
}  // namespace postrider::test
