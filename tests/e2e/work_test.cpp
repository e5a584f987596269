#include <csignal>
#include <memory>
#include <thread>

#include "e2e/database_fixture.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

class work_test : public database_fixture {
  protected:
    static std::vector<std::string> arguments(std::vector<std::string> more) {
        more.insert(more.begin(),
                    {"work", "--consumer", "office", "--on", "*", "--from-beginning"});
        return more;
    }
    finished_process once(std::vector<std::string> more) const {
        more.insert(more.begin(), "--once");
        return postrider_.run(arguments(std::move(more)));
    }
    std::unique_ptr<process> start(std::vector<std::string> more) const {
        return std::make_unique<process>(program::command(arguments(std::move(more))),
                                         postrider_.variables());
    }
    // The state of a message that has a delivery of its own.
    std::string fate(const std::string& event_type) {
        return value(
            "select concat_ws(' ', status, attempts, error_class) from postrider.outbox"
            " where event_type = '" +
            event_type + "'");
    }
    bool becomes(const std::string& event_type, const std::string& expected) {
        return eventually([&] { return fate(event_type) == expected; }, std::chrono::seconds(40));
    }
    bool appears(const std::string& name) const {
        return eventually([&] { return exists(name) && !read(name).empty(); });
    }
    // A command that writes its process id to the file `name` and then waits for the file `go`, or
    // for ever.
    std::string waiting(const std::string& name) const {
        return "echo $$ > " + path("new") + " && mv " + path("new") + " " + path(name) +
               "; while [ ! -e " + path("go") + " ]; do sleep 0.05; done";
    }
    // No process with the recorded pid is left.
    bool gone(const std::string& name) const {
        const auto number = read(name).substr(0, read(name).find('\n'));
        return eventually([&] {
            std::ifstream status("/proc/" + number + "/stat");
            std::string text;
            std::getline(status, text);
            return text.empty() || contains(text, ") Z");
        });
    }
};

TEST_F(work_test, a_command_gets_the_payload_and_the_envelope) {
    const std::string trace = "0af7651916cd43dd8448eb211c80319c";
    const auto id =
        publish({"user.created", "--payload", R"({"user_id": 42})", "--source", "accounts",
                 "--idempotency-key", "user 42", "--header", "a=b", "--trace-context",
                 "00-" + trace + "-b7ad6b7169203331-01", "--occurred-at", "2025-03-01T12:00:00Z"});
    postrider_.set("POSTRIDER_TARGET", "other");
    const auto outcome =
        once({"--exec", "cat > " + path("payload") + "; env > " + path("environment")});
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_EQ(read("payload"), R"({"user_id": 42})");
    const auto environment = read("environment");
    for (const auto& variable :
         {"POSTRIDER_MESSAGE_ID=" + id, std::string("POSTRIDER_EVENT_TYPE=user.created"),
          std::string("POSTRIDER_EVENT_VERSION=1"), std::string("POSTRIDER_SOURCE=accounts"),
          std::string("POSTRIDER_OCCURRED_AT=2025-03-01T12:00:00"),
          std::string("POSTRIDER_IDEMPOTENCY_KEY=user 42"), std::string("POSTRIDER_ATTEMPTS=1"),
          std::string("POSTRIDER_CYCLE=1"), std::string("POSTRIDER_HANDLER=office.exec"),
          std::string("POSTRIDER_HEADERS={\"a\": \"b\"}"), "POSTRIDER_RUN_KEY=" + id + "/1/1",
          "POSTRIDER_TRACE_CONTEXT=00-" + trace + "-b7ad6b7169203331-01",
          "TRACEPARENT=00-" + trace}) {
        EXPECT_TRUE(contains("\n" + environment, "\n" + variable)) << variable << environment;
    }
    EXPECT_FALSE(contains(environment, "POSTRIDER_TARGET=")) << environment;
    EXPECT_EQ(fate("user.created"), "delivered 1");
}

TEST_F(work_test, the_exit_code_decides) {
    for (const auto* code : {"0", "1", "65", "75"}) {
        publish({std::string("exit.") + code});
    }
    const auto outcome = once({"--retry", "fixed:1h", "--exec",
                               "echo because of $POSTRIDER_EVENT_TYPE >&2;"
                               " exit ${POSTRIDER_EVENT_TYPE#exit.}"});
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_EQ(fate("exit.0"), "delivered 1");
    EXPECT_EQ(fate("exit.1"), "pending 1 exit:1");
    EXPECT_EQ(fate("exit.65"), "failed 1 exit:65");
    EXPECT_EQ(fate("exit.75"), "pending 1 exit:75");
    EXPECT_EQ(value("select last_error from postrider.outbox where event_type = 'exit.65'"),
              "because of exit.65");
    EXPECT_TRUE(contains(outcome.output, "runs: 4, delivered: 1")) << outcome.output;
}

TEST_F(work_test, a_failure_is_tried_again_until_its_attempts_are_used_up) {
    publish({"a.b"});
    const auto running = start({"--retry", "immediate", "--max-attempts", "3", "--exec", "exit 9"});
    EXPECT_TRUE(becomes("a.b", "failed 3 exit:9")) << fate("a.b");
    running->kill(SIGTERM);
    EXPECT_EQ(running->wait(), 0) << running->output();
}

TEST_F(work_test, the_end_of_stderr_is_kept_as_text) {
    publish({"a.b"});
    once({"--quiet", "--exec",
          R"(yes 'noise é' | head -n 3000 >&2; printf 'cut \377 here\n' >&2; exit 3)"});
    EXPECT_EQ(value("select right(last_error, 10) from postrider.outbox"), "cut ? here");
    EXPECT_EQ(value("select left(last_error, 6) from postrider.outbox"), "noise ")
        << "a whole line";
    EXPECT_EQ(value("select octet_length(last_error) between 2000 and 2048 from postrider.outbox"),
              "t");
}

TEST_F(work_test, output_of_commands_is_shown_unless_it_is_unwanted) {
    publish({"a.b"});
    EXPECT_TRUE(contains(once({"--exec", "echo out; echo err >&2"}).output, "out\nerr\n"));
    publish({"a.b"});
    const auto quiet = once({"--quiet", "--exec", "echo out; echo err >&2"});
    EXPECT_FALSE(contains(quiet.output, "out\n") || contains(quiet.output, "err\n"));
}

TEST_F(work_test, a_killed_command_is_a_failure_named_by_the_signal) {
    publish({"a.b"});
    once({"--retry", "fixed:1h", "--exec", "kill -9 $$"});
    EXPECT_EQ(fate("a.b"), "pending 1 signal:9");
}

TEST_F(work_test, a_command_that_takes_too_long_is_ended_with_its_children) {
    publish({"a.b"});
    const auto outcome = once({"--timeout", "500ms", "--retry", "fixed:1h", "--exec",
                               "sleep 1000 & echo $! > " + path("child") + "; wait"});
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_EQ(fate("a.b"), "pending 1 timeout");
    EXPECT_TRUE(gone("child"));
}

TEST_F(work_test, a_command_that_does_not_want_to_end_is_killed) {
    publish({"a.b"});
    const auto outcome =
        once({"--timeout", "300ms", "--retry", "fixed:1h", "--exec",
              "trap '' TERM; echo $$ > " + path("stubborn") + "; while true; do sleep 1; done"});
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_EQ(fate("a.b"), "pending 1 timeout");
    EXPECT_TRUE(gone("stubborn"));
}

TEST_F(work_test, a_command_that_floods_its_error_output_ends_at_its_timeout) {
    publish({"a.b"});
    const auto began = std::chrono::steady_clock::now();
    const auto outcome =
        once({"--timeout", "300ms", "--retry", "fixed:1h", "--exec", "exec yes >&2"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(fate("a.b"), "pending 1 timeout");
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
}

TEST_F(work_test, a_command_need_not_read_its_input) {
    session_.exec("select postrider.publish('a.b', to_jsonb(repeat('x', 900000)))");
    EXPECT_EQ(once({"--exec", "exit 0"}).status, 0);
    EXPECT_EQ(fate("a.b"), "delivered 1");
    session_.exec("select postrider.publish('c.d', to_jsonb(repeat('x', 900000)))");
    EXPECT_EQ(once({"--exec", "exec <&-; sleep 0.2"}).status, 0);
    EXPECT_EQ(fate("c.d"), "delivered 1");
}

TEST_F(work_test, something_left_in_the_background_does_not_hold_up_the_message) {
    publish({"a.b"});
    const auto outcome = once({"--quiet", "--exec", "sleep 60 & echo $! > " + path("child")});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(fate("a.b"), "delivered 1");
    ::kill(std::stoi(read("child")), SIGKILL);
}

TEST_F(work_test, a_program_is_run_without_a_shell) {
    publish({"a.b", "--payload", R"("hello")"});
    const auto outcome = once({"--", "tee", path("a b $HOME")});
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_EQ(read("a b $HOME"), R"("hello")");
}

TEST_F(work_test, a_command_begins_like_a_fresh_process) {
    publish({"a.b"});
    once({"--exec", "grep -E '^Sig(Blk|Ign)' /proc/self/status > " + path("signals") +
                        "; ls /proc/self/fd > " + path("descriptors")});
    EXPECT_EQ(read("signals"), "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
    EXPECT_EQ(read("descriptors"), "0\n1\n2\n3\n");  // 3 is the folder that ls reads
}

TEST_F(work_test, several_commands_run_at_once) {
    publish({"a.b"});
    publish({"a.b"});
    // Each waits for the other.
    const auto outcome = once({"--concurrency", "2", "--exec",
                               "touch " + path("here.") + "$POSTRIDER_MESSAGE_ID; while [ $(ls " +
                                   path("here.") + "* | wc -l) -lt 2 ]; do sleep 0.05; done"});
    EXPECT_TRUE(contains(outcome.output, "runs: 2, delivered: 2")) << outcome.output;
}

TEST_F(work_test, a_stop_lets_running_commands_finish) {
    publish({"a.b"});
    const auto running = start({"--exec", waiting("started")});
    ASSERT_TRUE(appears("started"));
    running->kill(SIGTERM);
    running->wait_for_line("stopping");
    write("go", "");
    EXPECT_EQ(running->wait(), 0) << running->output();
    EXPECT_EQ(fate("a.b"), "delivered 1");
}

TEST_F(work_test, after_the_grace_period_commands_are_ended_and_given_back) {
    publish({"a.b"});
    const auto running = start({"--shutdown-timeout", "300ms", "--exec", waiting("started")});
    ASSERT_TRUE(appears("started"));
    running->kill(SIGINT);
    EXPECT_EQ(running->wait(), 0) << running->output();
    EXPECT_TRUE(gone("started"));
    EXPECT_EQ(value("select status || failures from postrider.outbox"), "pending0");
    EXPECT_EQ(value("select count(*) from postrider.worker"), "0");
}

TEST_F(work_test, a_second_signal_ends_everything_at_once) {
    publish({"a.b"});
    const auto running = start({"--exec", "trap '' TERM; " + waiting("started")});
    ASSERT_TRUE(appears("started"));
    running->kill(SIGTERM);
    running->wait_for_line("stopping");
    // A signal that follows at once counts as the same one, sent to the process and to its group.
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    const auto asked = std::chrono::steady_clock::now();
    running->kill(SIGTERM);
    EXPECT_EQ(running->wait(), 0) << running->output();
    EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(4));
    EXPECT_TRUE(gone("started"));
    EXPECT_EQ(value("select status || failures from postrider.outbox"), "pending0");
}

TEST_F(work_test, another_worker_finishes_the_messages_of_a_killed_one) {
    publish({"a.b"});
    const auto first = start({"--heartbeat-timeout", "1s", "--exec", waiting("first")});
    ASSERT_TRUE(appears("first"));
    first->kill(SIGKILL);
    first->wait();
    EXPECT_TRUE(gone("first"));
    write("go", "");
    const auto second = start({"--heartbeat-timeout", "1s", "--exec", waiting("second")});
    EXPECT_TRUE(becomes("a.b", "delivered 1 worker_lost")) << fate("a.b");
    EXPECT_TRUE(exists("second"));
    second->kill(SIGTERM);
    EXPECT_EQ(second->wait(), 0);
}

TEST_F(work_test, json_lines_tell_every_run) {
    const auto id = publish({"a.b"});
    const auto outcome = once(
        {"--json", "--quiet", "--retry", "fixed:1h", "--exec", "echo 'no \"luck\"' >&2; exit 4"});
    for (const auto& part :
         {std::string("\"kind\":\"run\""), "\"message_id\":\"" + id + "\"",
          std::string("\"outcome\":\"transient\""), std::string("\"error_class\":\"exit:4\""),
          std::string(R"("error":"no \"luck\"")"), std::string("\"kind\":\"state\""),
          std::string(R"({"kind":"summary","runs":1,"delivered":0})")}) {
        EXPECT_TRUE(contains(outcome.output, part)) << part << "\n" << outcome.output;
    }
}

TEST_F(work_test, it_ends_when_the_reader_of_stdout_is_gone) {
    auto variables = postrider_.variables();
    variables["postrider"] = POSTRIDER_PROGRAM;
    process reader({"/bin/sh", "-c",
                    "{ $postrider work --json --consumer office --on '*' --exec true;"
                    " echo ended with $? >&2; } | head -n 1"},
                   variables);
    reader.wait_for_line("\"started\"");
    publish({"a.b"});
    publish({"a.b"});
    reader.wait_for_line("ended with 74");
    EXPECT_EQ(reader.wait(), 0);
}

TEST_F(work_test, invalid_options_are_refused_immediately) {
    const auto refused = [&](std::vector<std::string> more, const std::string& because) {
        const auto outcome = once(std::move(more));
        EXPECT_EQ(outcome.status, 64) << outcome.output;
        EXPECT_TRUE(contains(outcome.output, because)) << outcome.output;
    };
    refused({}, "work needs one command");
    refused({"--exec", "true", "--", "true"}, "work needs one command");
    refused({"--", "no-such-program"}, "no-such-program");
    refused({"--exec", "true", "--retry", "sometimes"}, "--retry");
    refused({"--exec", "true", "--timeout", "5"}, "--timeout");
    refused({"--exec", "true", "--timeout", "0s"}, "--timeout");
    refused({"--exec", "true", "--concurrency", "0"}, "concurrency");
    EXPECT_EQ(postrider_.run({"work", "--exec", "true"}).status, 64);
    EXPECT_EQ(once({"--exec", "true", "--database", "host=/nonexistent dbname=x"}).status, 69);
}

TEST_F(work_test, one_signal_that_comes_twice_lets_running_commands_finish) {
    publish({"a.b"});
    const auto running = start({"--exec", waiting("started")});
    ASSERT_TRUE(appears("started"));
    running->kill(SIGTERM);
    running->kill(SIGINT);
    running->wait_for_line("stopping");
    write("go", "");
    EXPECT_EQ(running->wait(), 0) << running->output();
    EXPECT_EQ(fate("a.b"), "delivered 1");
}

TEST_F(work_test, a_closed_terminal_lets_running_commands_finish) {
    publish({"a.b"});
    const auto running = start({"--exec", waiting("started")});
    ASSERT_TRUE(appears("started"));
    running->kill(SIGHUP);
    running->wait_for_line("stopping");
    write("go", "");
    EXPECT_EQ(running->wait(), 0) << running->output();
    EXPECT_EQ(fate("a.b"), "delivered 1");
}

TEST_F(work_test, a_worker_under_nohup_continues) {
    auto variables = postrider_.variables();
    variables["postrider"] = POSTRIDER_PROGRAM;
    process running(
        {"/bin/sh", "-c",
         "trap '' HUP; exec $postrider work --consumer office --on '*' --exec 'echo x >> " +
             path("ran") + "'"},
        variables);
    running.wait_for_line("started");
    running.kill(SIGHUP);
    publish({"a.b"});
    EXPECT_TRUE(appears("ran"));
    running.kill(SIGTERM);
    EXPECT_EQ(running.wait(), 0) << running.output();
}

TEST_F(work_test, hostile_errors_do_not_reach_the_terminal) {
    publish({"a.b"});
    const std::string hostile = R"(printf '\033]0;owned\007\302\233' >&2; exit 65)";
    const auto lines = once({"--quiet", "--exec", hostile});
    EXPECT_FALSE(contains(lines.output, "\x1b")) << lines.output;
    EXPECT_TRUE(contains(lines.output, "\\x1b]0;owned\\x07\\x9b")) << lines.output;
    publish({"a.b"});
    const auto json = once({"--json", "--quiet", "--exec", hostile});
    EXPECT_FALSE(contains(json.output, "\xc2\x9b")) << json.output;
    EXPECT_TRUE(contains(json.output, "\\u009b")) << json.output;
}

TEST_F(work_test, it_works_with_a_closed_stderr) {
    publish({"a.b"});
    const auto outcome = shell(
        "$postrider work --consumer office --on '*' --from-beginning --once --exec true 2>&-");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(value("select status from postrider.outbox"), "delivered");
}

TEST_F(work_test, a_batch_ends_when_the_database_refuses_its_worker) {
    postrider_.set("PGOPTIONS", "-c default_transaction_read_only=on");
    const auto outcome = once({"--exec", "true"});
    EXPECT_EQ(outcome.status, 70) << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "read-only")) << outcome.output;
}

TEST_F(work_test, secrets_of_the_worker_are_not_handed_to_commands) {
    publish({"a.b"});
    postrider_.set("SENTRY_DSN", "https://geheim@127.0.0.1:1/1");
    postrider_.set("POSTRIDER_ALERT_WEBHOOK", "http://127.0.0.1:1/geheim");
    postrider_.set("POSTRIDER_ALERT_WEBHOOK_TOKEN", "geheim");
    const auto outcome = once({"--exec", "env > " + path("env")});
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_TRUE(contains(read("env"), "POSTRIDER_MESSAGE_ID="));
    EXPECT_FALSE(contains(read("env"), "geheim")) << read("env");
}

}  // namespace
}  // namespace postrider::test
