// `work --stay` against a database; tests/child_protocol has the rest.
#include <csignal>
#include <memory>
#include <thread>

#include "e2e/database_fixture.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

const std::string conformance_child =
    std::string("exec /bin/sh ") + POSTRIDER_ROOT + "/tests/child_protocol/children/child.sh";

class stay_test : public database_fixture {
  protected:
    static std::vector<std::string> arguments(std::vector<std::string> more) {
        more.insert(more.begin(), {"work", "--consumer", "office", "--on", "*", "--from-beginning",
                                   "--retry", "fixed:1h"});
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
    void publish_order(const std::string& action, const std::string& more = "") {
        publish({"order." + action, "--payload", R"({"do":")" + action + "\"" + more + "}"});
    }
    std::string fates() {
        return value(
            "select string_agg(concat_ws(' ', event_type, status, attempts, failures, error_class),"
            " ', ' order by event_type, seq) from postrider.outbox");
    }
    bool gone(const std::string& process_id) const {
        return eventually([&] { return ::kill(std::stoi(process_id), 0) != 0; });
    }
};

TEST_F(stay_test, outcomes_of_children_are_those_of_the_messages) {
    for (const auto* action : {"deliver", "fail", "terminal", "snooze", "deliver"}) {
        publish_order(action);
    }
    const auto outcome = once({"--stay", conformance_child});
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_EQ(fates(),
              "order.deliver delivered 1 0, order.deliver delivered 1 0, order.fail pending 1 1 "
              "example, order.snooze pending 0 0, order.terminal failed 1 1 example");
    EXPECT_EQ(value("select last_error from postrider.outbox where event_type = 'order.fail'"),
              "as asked");
    EXPECT_TRUE(contains(outcome.output, "runs: 5, delivered: 2")) << outcome.output;
}

TEST_F(stay_test, a_crash_is_charged_to_its_message_alone) {
    for (const auto* action : {"deliver", "crash", "deliver", "deliver"}) {
        publish_order(action);
    }
    const auto outcome = once({"--children", "1", "--stay", conformance_child});
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_EQ(fates(),
              "order.crash pending 1 1 exit:3, order.deliver delivered 1 0, order.deliver "
              "delivered 1 0, order.deliver delivered 1 0");
    EXPECT_TRUE(contains(outcome.output, "child_ended: child 1 exited with 3")) << outcome.output;
}

TEST_F(stay_test, a_stop_lets_children_finish_running_messages) {
    publish_order("wait", R"(,"file":")" + path("go") + "\"");
    const auto running = start({"--stay", conformance_child});
    ASSERT_TRUE(eventually([&] { return exists("go.begun"); }));
    running->kill(SIGTERM);
    running->wait_for_line("stopping");
    write("go", "");
    EXPECT_EQ(running->wait(), 0) << running->output();
    EXPECT_EQ(fates(), "order.wait delivered 1 0");
}

TEST_F(stay_test, after_the_shutdown_timeout_children_are_ended_and_messages_given_back) {
    publish_order("wait", R"(,"file":")" + path("go") + "\"");
    const auto running = start({"--shutdown-timeout", "300ms", "--stay", conformance_child});
    ASSERT_TRUE(eventually([&] { return exists("go.begun"); }));
    running->kill(SIGTERM);
    EXPECT_EQ(running->wait(), 0) << running->output();
    EXPECT_EQ(value("select status || failures from postrider.outbox"), "pending0");
}

TEST_F(stay_test, a_second_signal_ends_children_at_once) {
    publish_order("wait", R"(,"file":")" + path("go") + "\"");
    const auto running = start({"--children", "1", "--stay", "trap '' TERM; " + conformance_child});
    const auto line = running->wait_for_line("is process ");
    ASSERT_TRUE(eventually([&] { return exists("go.begun"); }));
    running->kill(SIGTERM);
    running->wait_for_line("stopping");
    // A signal that follows at once counts as the same one, sent to the process and to its group.
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    running->kill(SIGTERM);
    EXPECT_EQ(running->wait(std::chrono::seconds(10)), 0) << running->output();
    EXPECT_TRUE(gone(line.substr(line.rfind(' ') + 1)));
    EXPECT_EQ(value("select status || failures from postrider.outbox"), "pending0");
}

TEST_F(stay_test, children_do_not_outlive_a_killed_worker) {
    const auto running = start({"--children", "1", "--stay", conformance_child});
    const auto line = running->wait_for_line("is process ");
    running->kill(SIGKILL);
    running->wait();
    EXPECT_TRUE(gone(line.substr(line.rfind(' ') + 1)));
}

TEST_F(stay_test, children_get_the_database_only_when_asked_to) {
    const auto child = "env > " + path("env") + "; " + conformance_child;
    postrider_.set("POSTRIDER_ALERT_WEBHOOK_TOKEN", "geheim");
    EXPECT_EQ(once({"--children", "1", "--stay", child}).status, 0);
    EXPECT_FALSE(contains(read("env"), "POSTRIDER_DATABASE_URL=")) << read("env");
    EXPECT_FALSE(contains(read("env"), "geheim"));
    EXPECT_EQ(once({"--children", "1", "--pass-database", "--stay", child}).status, 0);
    EXPECT_TRUE(contains(read("env"), "POSTRIDER_DATABASE_URL=")) << read("env");
    EXPECT_FALSE(contains(read("env"), "geheim"));
}

TEST_F(stay_test, stderr_of_children_is_in_the_log) {
    publish_order("deliver");
    const auto child = "echo 'ready \033[31m' >&2; " + conformance_child;
    const auto text = once({"--stay", child});
    EXPECT_TRUE(contains(text.output, "child    1: ready \\x1b[31m")) << text.output;
    const auto json = once({"--json", "--stay", child});
    EXPECT_TRUE(contains(json.output, R"("kind":"child")")) << json.output;
    EXPECT_TRUE(contains(json.output, R"("state":"child_started")")) << json.output;
    const auto quiet = once({"--quiet", "--stay", child});
    EXPECT_FALSE(contains(quiet.output, "ready")) << quiet.output;
}

TEST_F(stay_test, invalid_options_are_refused_immediately) {
    const auto refused = [&](std::vector<std::string> more, const std::string& because) {
        const auto outcome = once(std::move(more));
        EXPECT_EQ(outcome.status, 64) << outcome.output;
        EXPECT_TRUE(contains(outcome.output, because)) << outcome.output;
    };
    refused({"--stay", "true", "--exec", "true"}, "work needs one command");
    refused({"--stay", "true", "--", "true"}, "work needs one command");
    refused({"--stay", "true", "--concurrency", "3"}, "use --children");
    refused({"--stay", "true", "--children", "0"}, "--children must be between 1 and 256, got 0");
    refused({"--stay", "true", "--in-flight", "0"}, "--in-flight must be between");
    refused({"--stay", "echo no luck >&2; exit 3"}, "exited with 3: no luck");
}

}  // namespace
}  // namespace postrider::test
