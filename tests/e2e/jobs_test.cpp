#include <fstream>

#include "e2e/operating_fixture.hpp"

namespace postrider::test {
namespace {

class jobs_test : public operating_fixture {
  protected:
    std::string job(const std::string& type = "invoice.due") {
        return value("select postrider.publish($1)", {type});
    }
    finished_process run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "jobs");
        return postrider_.run(std::move(arguments));
    }
};

TEST_F(jobs_test, a_cancelled_job_is_shown_as_such_and_never_claimed) {
    const auto id = job();
    const auto other = job();
    EXPECT_NE(run({"show", id}).output.find("queued"), std::string::npos);
    const auto done = run({"cancel", id, "--yes", "--reason", "ordered twice"});
    EXPECT_EQ(done.status, 0) << done.output;
    EXPECT_NE(done.output.find("pending"), std::string::npos) << done.output;
    const auto shown = run({"show", id, "--json"});
    EXPECT_EQ(shown.output.find("{\"id\":\"" + id + "\",\"places\":[{"), 0U) << shown.output;
    EXPECT_NE(shown.output.find("\"state\":\"cancelled\""), std::string::npos) << shown.output;
    EXPECT_EQ(value("select string_agg(id::text, ',') from postrider.claim($1)", {worker}), other);
    EXPECT_EQ(value("select actor || ': ' || reason from postrider.audits where action = 'cancel'")
                      .find("ordered twice") != std::string::npos,
              true);
}

TEST_F(jobs_test, jobs_are_cancelled_by_unique_key_and_by_filter) {
    value("select id from postrider.publish_unique('invoice.due', 'billing', 'invoice:42')");
    const auto held = postrider_.run({"unique-keys"});
    EXPECT_NE(held.output.find("invoice:42"), std::string::npos) << held.output;
    job("newsletter");
    job("newsletter");
    const auto by_key = run({"cancel", "--unique-key", "invoice:42", "--consumer", "billing",
                             "--yes", "--reason", "paid", "--json"});
    EXPECT_EQ(by_key.status, 0) << by_key.output;
    EXPECT_NE(by_key.output.find("\"was\":\"pending\""), std::string::npos) << by_key.output;
    EXPECT_EQ(run({"cancel", "--consumer", "billing", "--event-type", "newsletter", "--yes",
                   "--reason", "wrong text"})
                  .status,
              0);
    EXPECT_EQ(value("select count(*) from postrider.claim($1)", {worker}), "0");
    EXPECT_EQ(value("select count(*) from postrider.unique_keys"), "0");
}

TEST_F(jobs_test, a_dry_run_lists_the_jobs_of_a_workspace_and_cancels_none) {
    const std::string ours = "0b8a1f1f-0000-4000-8000-00000000000a";
    const auto mine =
        value("select postrider.publish('invoice.due', p_workspace_id => $1)", {ours});
    const auto theirs = job();
    std::vector<std::string> cancel{"cancel",      "--consumer", "billing",
                                    "--workspace", ours,         "--dry-run"};
    const auto seen = run(cancel);
    EXPECT_EQ(seen.status, 0) << seen.output;
    EXPECT_NE(seen.output.find(mine), std::string::npos) << seen.output;
    EXPECT_EQ(seen.output.find(theirs), std::string::npos) << seen.output;
    EXPECT_EQ(value("select count(*) from postrider.audits where action = 'cancel'"), "0");
    cancel.pop_back();
    EXPECT_EQ(run(cancel).status, 64) << "without a reason";
    cancel.insert(cancel.end(), {"--yes", "--reason", "left"});
    EXPECT_EQ(run(cancel).status, 0);
    EXPECT_EQ(value("select string_agg(id::text, ',') from postrider.claim($1)", {worker}), theirs);
}

TEST_F(jobs_test, progress_and_result_are_shown) {
    const auto id = job();
    value("select count(*) from postrider.claim($1)", {worker});
    value(
        "select postrider.record_progress($1, json_build_array(json_build_object('lease', l.id,"
        " 'token', l.token, 'seq', l.members[1], 'id', $2::text, 'handler', h.name, 'fraction', "
        "0.25,"
        " 'text', 'page 1', 'result', json_build_object('n', 1)))) from postrider.lease l"
        " join postrider.handler h on h.consumer_id = l.consumer_id"
        " where l.finished_at is null and l.worker_id = $1::uuid limit 1",
        {worker, id});
    const auto shown = run({"show", id});
    EXPECT_NE(shown.output.find("25 %"), std::string::npos) << shown.output;
    EXPECT_NE(shown.output.find("page 1"), std::string::npos) << shown.output;
    const auto json = run({"show", id, "--json"});
    EXPECT_NE(json.output.find(R"("fraction":0.25)"), std::string::npos) << json.output;
    EXPECT_NE(json.output.find(R"("result":{"n" : 1})"), std::string::npos) << json.output;
}

TEST_F(jobs_test, a_file_is_published_as_a_set) {
    const auto file = (postrider_.home() / "rows.jsonl").string();
    std::ofstream(file) << R"({"event_type": "invoice.due", "payload": 1})"
                        << "\n"
                        << R"({"event_type": "invoice.due", "payload": 2})"
                        << "\n";
    const std::vector<std::string> publish{"publish",  "--many",  file,
                                           "--target", "billing", "--set",
                                           "run:42",   "--then",  R"({"event_type": "run.done"})"};
    EXPECT_EQ(postrider_.run(publish).output, "2\n");
    EXPECT_NE(postrider_.run(publish).status, 0) << "the name is in use";
    EXPECT_NE(postrider_.run({"sets"}).output.find("run:42"), std::string::npos);
    value(
        "select count(postrider.settle($1, lease_id, lease_token)) from (select distinct lease_id,"
        " lease_token from postrider.claim($1)) c",
        {worker});
    const auto shown = postrider_.run({"sets", "run:42", "--json"}).output;
    EXPECT_NE(shown.find(R"("open":0,"ended":2,"failed":0)"), std::string::npos) << shown;
    EXPECT_EQ(value("select count(*) from postrider.message where event_type = 'run.done'"), "1");
    EXPECT_EQ(postrider_.run({"publish", "x", "--set", "s"}).status, 64);
    EXPECT_EQ(postrider_.run({"publish", "x", "--set", "s", "--then", "{}"}).status, 64);
}

TEST_F(jobs_test, mistakes_are_named) {
    EXPECT_EQ(run({"cancel", "--yes", "--reason", "x"}).status, 64);
    EXPECT_EQ(run({"cancel", "--event-type", "a", "--yes", "--reason", "x"}).status, 64);
    EXPECT_EQ(run({"cancel", job(), "--yes"}).status, 64);
    const std::string unknown = "0190a0b4-0000-7000-8000-000000000042";
    EXPECT_EQ(run({"cancel", unknown, "--yes", "--reason", "x"}).status, 66);
    EXPECT_EQ(run({"show", unknown}).status, 66);
    EXPECT_EQ(run({"show", "x"}).status, 64);
}

}  // namespace
}  // namespace postrider::test
