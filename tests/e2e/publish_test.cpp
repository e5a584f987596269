#include <sys/stat.h>

#include <csignal>

#include "e2e/database_fixture.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

class publish_test : public database_fixture {
  protected:
    std::string count() { return value("select count(*) from postrider.message"); }
    std::string field(const std::string& expression) {
        return value("select " + expression + " from postrider.message order by seq limit 1");
    }
    // `bad` is the number of the invalid line.
    std::string write_lines(int lines, int bad = 0) const {
        std::string text;
        for (int line = 1; line <= lines; ++line) {
            text += line == bad
                        ? "{\"event_type\": }\n"
                        : "{\"event_type\": \"a.b\", \"payload\": {\"n\": " + std::to_string(line) +
                              "}}\n";
        }
        return write("lines.jsonl", text);
    }
    // The program, with a pipe that brings a batch of lines and stays open.
    std::unique_ptr<process> publish_batch(std::ofstream& lines) {
        write_lines(5'000);
        ::mkfifo(path("pipe").c_str(), 0600);
        auto running = std::make_unique<process>(
            program::command({"publish", "--many", path("pipe"), "--batch-commit"}),
            postrider_.variables());
        lines.open(path("pipe"));
        lines << read("lines.jsonl") << std::flush;
        EXPECT_TRUE(eventually([&] { return count() == "5000"; }));
        return running;
    }
};

TEST_F(publish_test, the_id_of_the_message_is_printed) {
    const auto id = publish({"user.created"});
    EXPECT_EQ(field("id"), id);
    EXPECT_EQ(field("payload"), "{}");
    const auto json = publish({"user.created", "--json"});
    EXPECT_TRUE(json.starts_with("{\"id\":\"") && json.ends_with("\"}")) << json;
}

TEST_F(publish_test, every_option_reaches_the_log) {
    const std::string id = "018f4d2e-7c4b-7a63-9d0e-000000000001";
    EXPECT_EQ(publish({"user.created",
                       "--payload",
                       R"({"user_id": 42})",
                       "--source",
                       "accounts",
                       "--target",
                       "billing",
                       "--generation",
                       "7",
                       "--id",
                       id,
                       "--event-version",
                       "3",
                       "--idempotency-key",
                       "user 42",
                       "--ordering-key",
                       "o",
                       "--partition-key",
                       "p",
                       "--header",
                       "language=de",
                       "--header",
                       "a=b=c",
                       "--workspace",
                       "018f4d2e-7c4b-7a63-9d0e-000000000002",
                       "--trace-context",
                       "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                       "--occurred-at",
                       "2025-03-01T12:00:00.25+01:00",
                       "--available-at",
                       "2125-03-01T12:00:00Z",
                       "--priority",
                       "-5",
                       "--max-attempts",
                       "9",
                       "--content-class",
                       "personal",
                       "--metadata",
                       R"({"by": "me"})"}),
              id);
    EXPECT_EQ(field("concat_ws('|', event_type, payload, source, target, channel, generation, id,"
                    " event_version, idempotency_key, ordering_key, partition_key, headers,"
                    " workspace_id, left(trace_context, 5), occurred_at at time zone 'UTC',"
                    " available_at at time zone 'UTC', priority, max_attempts, content_class,"
                    " metadata)"),
              R"(user.created|{"user_id": 42}|accounts|billing|outbox_gen_7|7|)" + id +
                  R"(|3|user 42|o|p|{"a": "b=c", "language": "de"}|)"
                  "018f4d2e-7c4b-7a63-9d0e-000000000002|00-0a|2025-03-01 11:00:00.25|"
                  R"(2125-03-01 12:00:00|-5|9|personal|{"by": "me"})");
}

TEST_F(publish_test, the_payload_comes_from_a_file_or_from_standard_input) {
    publish({"a.b", "--payload-file", write("payload.json", R"({"from": "file"})")});
    EXPECT_EQ(field("payload->>'from'"), "file");
    EXPECT_EQ(shell(R"(echo '{"from": "dash"}' | $postrider publish c.d -)").status, 0);
    EXPECT_EQ(value("select payload->>'from' from postrider.message where event_type = 'c.d'"),
              "dash");
}

TEST_F(publish_test, numbers_and_keys_pass_through_as_they_were_written) {
    publish(
        {"--many", write("big.jsonl", R"({"event_type": "a\u002eb", "payload":)"
                                      R"( {"n": 123456789012345678901234567890.5, "s": "}]\""}})"
                                      "\n")});
    EXPECT_EQ(field("event_type"), "a.b");
    EXPECT_EQ(field("payload->>'n'"), "123456789012345678901234567890.5");
    EXPECT_EQ(field("payload->>'s'"), "}]\"");
}

TEST_F(publish_test, a_unique_job_is_published_once_and_a_duplicate_says_so) {
    session_.exec(
        "select postrider.register_worker(gen_random_uuid(), 'search',"
        " '[{\"name\": \"search.index\", \"event_types\": [\"*\"]}]')");
    const std::vector<std::string> job{"publish", "page.edited",  "--target",
                                       "search",  "--unique-key", "page:42"};
    const auto first = postrider_.run(job);
    EXPECT_EQ(first.status, 0) << first.output;
    auto again = job;
    again.insert(again.end(), {"--unique", "serial"});
    const auto second = postrider_.run(again);
    EXPECT_EQ(second.status, 0);
    EXPECT_NE(second.output.find("holds the unique key 'page:42'"), std::string::npos)
        << second.output;
    again.push_back("--json");
    const auto id = first.output.substr(0, first.output.find('\n'));
    EXPECT_EQ(postrider_.run(again).output, R"({"id":")" + id + R"(","duplicate":true})" + "\n");
    EXPECT_EQ(count(), "1");
    publish({"page.edited", "--target", "search", "--unique-key", "k", "--unique-for", "2h"});
    EXPECT_EQ(value("select scope || (expires_at - taken_at between '119 min' and '121 min')"
                    " from postrider.unique_keys where key = 'k'"),
              "periodtrue");
    EXPECT_EQ(postrider_.run({"publish", "a.b", "--unique", "serial"}).status, 64);
    EXPECT_EQ(postrider_.run({"publish", "a.b", "--unique-key", "k"}).status, 64);
    again[again.size() - 2] = "for-ever";
    EXPECT_EQ(postrider_.run(again).status, 64);
}

TEST_F(publish_test, a_delay_is_counted_by_the_clock_of_the_database) {
    publish({"a.b", "--delay", "1h30m"});
    EXPECT_EQ(field("abs(extract(epoch from available_at - published_at) - 5400) < 60"), "t");
}

TEST_F(publish_test, a_command_of_a_handler_continues_its_trace) {
    postrider_.set("TRACEPARENT", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    publish({"a.b"});
    EXPECT_EQ(field("trace_context"), "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
}

TEST_F(publish_test, an_invalid_message_is_refused_with_the_name_of_the_field) {
    const auto refused = [&](std::vector<std::string> arguments, const std::string& because) {
        arguments.insert(arguments.begin(), "publish");
        const auto outcome = postrider_.run(arguments);
        EXPECT_EQ(outcome.status, 64) << outcome.output;
        EXPECT_TRUE(contains(outcome.output, because)) << outcome.output;
    };
    refused({}, "event type");
    refused({"a.b", "--payload", "{nonsense"}, "payload is not JSON");
    refused({"a.b", "--id", "7"}, "id");
    refused({"a.b", "--header", "nothing"}, "--header");
    refused({"a.b", "--delay", "soon"}, "--delay");
    refused({"a.b", "--available-at", "2025-03-01"}, "--available-at");
    refused({"a.b", "--payload", "1", "-"}, "once");
    refused({"a.b", "--batch-commit"}, "--many");
    refused({"--many", path("nowhere.jsonl")}, "nowhere.jsonl");
    EXPECT_EQ(count(), "0");
}

TEST_F(publish_test, a_database_without_the_schema_names_the_remedy) {
    const test_database empty(test_database::contents::empty);
    const auto outcome = postrider_.run({"publish", "a.b", "--database", empty.conninfo()});
    EXPECT_EQ(outcome.status, 78);
    EXPECT_TRUE(contains(outcome.output, "postrider migrate up")) << outcome.output;
}

TEST_F(publish_test, a_file_of_many_is_published_in_its_order) {
    EXPECT_EQ(publish({"--many", write_lines(12'000), "--source", "import"}), "12000");
    EXPECT_EQ(value("select count(distinct xid) || ' ' || min(source) from postrider.message"),
              "1 import");
    EXPECT_EQ(value("select count(*) from (select (payload->>'n')::int as n, row_number() over"
                    " (order by seq) as position from postrider.message) p where n <> position"),
              "0");
    EXPECT_EQ(publish({"--many", write_lines(3), "--json"}), "{\"count\":3}");
}

TEST_F(publish_test, a_bad_line_is_named_and_nothing_is_published) {
    for (const auto* how : {"--json", "--batch-commit"}) {
        const auto outcome = postrider_.run({"publish", "--many", write_lines(7'000, 6'789), how});
        EXPECT_EQ(outcome.status, 64);
        EXPECT_TRUE(contains(outcome.output, "lines.jsonl, line 6789: ")) << outcome.output;
        EXPECT_EQ(count(), "0");
    }
}

TEST_F(publish_test, batches_of_a_stream_are_committed_one_by_one_on_request) {
    const auto lines = write_lines(7'000, 6'789);
    const auto outcome = shell("$postrider publish --many - --batch-commit <" + lines);
    EXPECT_EQ(outcome.status, 64) << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "standard input, line 6789: ")) << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "5000 messages before it")) << outcome.output;
    EXPECT_EQ(count(), "5000");
}

TEST_F(publish_test, a_line_says_which_field_is_wrong) {
    const auto complains = [&](const std::string& line, const std::string& because) {
        const auto outcome = postrider_.run({"publish", "--many", write("x.jsonl", line + "\n")});
        EXPECT_NE(outcome.status, 0);
        EXPECT_TRUE(contains(outcome.output, "line 1: ")) << outcome.output;
        EXPECT_TRUE(contains(outcome.output, because)) << outcome.output;
    };
    complains("{}", "event_type is missing");
    complains("[]", "one JSON object");
    complains(R"({"event_type": "a", "typo": 1})", "'typo' is not a field");
    complains(R"({"event_type": "a", "priority": "high"})", "priority must be a whole number");
    complains(R"({"event_type": "a", "available_at": "tomorrow"})", "available_at");
    complains(R"({"event_type": 1})", "event_type must be a string");
}

TEST_F(publish_test, a_signal_ends_it_and_the_published_count_is_reported) {
    std::ofstream lines;
    const auto running = publish_batch(lines);
    running->kill(SIGINT);
    EXPECT_EQ(running->wait(), 130);
    EXPECT_TRUE(contains(running->output(), "5,000 messages are published")) << running->output();
}

TEST_F(publish_test, a_lost_connection_reports_the_published_count) {
    std::ofstream lines;
    const auto running = publish_batch(lines);
    session_.exec(
        "select pg_terminate_backend(pid) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid()");
    lines << read("lines.jsonl") << std::flush;
    EXPECT_EQ(running->wait(), 69);
    EXPECT_TRUE(contains(running->output(), "5000 messages before it are published"))
        << running->output();
}

}  // namespace
}  // namespace postrider::test
