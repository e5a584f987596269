#include <postrider/error.hpp>
#include <thread>

#include "child_protocol/host_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;
using words = std::vector<std::string>;

class child_host : public host_fixture {
  protected:
    std::string why_it_did_not_start(const std::string& command) {
        try {
            host(command, {})->start(-1);
        } catch (const usage_error& problem) {
            return problem.what();
        }
        return "it started";
    }
};

TEST_F(child_host, every_outcome_of_a_child_arrives) {
    const auto by = started(
        shell_child(R"(bad) answer terminal ',"error":"no such order","error_class":"order"' ;;
                       busy) answer transient ',"error":"busy","delay_ms":1500' ;;
                       later) answer snooze ',"delay_ms":2000' ;;
                       back) answer interrupted ;;)"),
        {});
    const auto done =
        handle(*by, {R"("fine")", R"("bad")", R"("busy")", R"("later")", R"("back")"});
    EXPECT_EQ(done.words(), (words{"delivered", "terminal order", "transient transient", "snooze",
                                   "interrupted"}));
    EXPECT_EQ(done.outcomes[1].error, "no such order");
    EXPECT_EQ(done.outcomes[2].delay, 1500ms);
    EXPECT_EQ(done.outcomes[3].delay, 2000ms);
}

TEST_F(child_host, a_crash_is_charged_to_the_message_that_was_running) {
    const auto by = started(shell_child("crash) echo out of luck >&2; exit 3 ;;"), {});
    const auto done = handle(*by, {R"("a")", R"("crash")", R"("b")", R"("c")"});
    EXPECT_EQ(done.words(), (words{"delivered", "transient exit:3", "delivered", "delivered"}));
    EXPECT_EQ(done.outcomes[1].error, "exited with 3: out of luck");
}

TEST_F(child_host, a_killed_child_is_named_by_the_signal) {
    const auto by = started(shell_child("crash) kill -9 $$ ;;"), {});
    EXPECT_EQ(handle(*by, {R"("crash")"}).words(), words{"transient signal:9"});
}

TEST_F(child_host, of_several_running_messages_only_the_one_that_crashes_alone_is_charged) {
    // Each message is answered in the background, so all of them run at once.
    const auto by = started(shell_child(R"(crash) sleep 0.1; exit 9 ;;
                                           *) { sleep 0.3; answer delivered; } & continue ;;)",
                                        R"("batch":1,"concurrency":4)"),
                            {});
    const auto done = handle(*by, {R"("a")", R"("b")", R"("crash")", R"("c")"});
    EXPECT_EQ(done.words(), (words{"delivered", "delivered", "transient exit:9", "delivered"}));
    EXPECT_EQ(count_notes("child_ended: child 1 exited with 9"), 2);
    // It is known by now, and runs alone from the beginning.
    EXPECT_EQ(handle(*by, {R"("a")", R"("b")", R"("crash")"}).words()[2], "transient exit:9");
    EXPECT_EQ(count_notes("child_ended: child 1 exited with 9"), 3);
}

TEST_F(child_host, a_message_that_hangs_is_ended_and_the_waiting_ones_are_not_charged) {
    const auto by = started(shell_child("hang) sleep 1000 ;;"), {.timeout = 400ms});
    const auto done = handle(*by, {R"("a")", R"("hang")", R"("b")", R"("c")"});
    EXPECT_EQ(done.words(), (words{"delivered", "transient timeout", "delivered", "delivered"}));
    EXPECT_EQ(done.outcomes[1].error, "timed out after 0.4 s");
}

TEST_F(child_host, a_child_gets_more_time_by_asking_for_it) {
    const auto by = started(shell_child(R"(long) for i in 1 2 3; do sleep 0.6
                                               echo '{"type":"extend","run":'$run'}'; done
                                               answer delivered ;;)"),
                            {.timeout = 1500ms});
    EXPECT_EQ(handle(*by, {R"("long")"}).words(), words{"delivered"});
}

TEST_F(child_host, a_child_that_ends_again_and_again_is_started_after_longer_and_longer_pauses) {
    const auto by =
        started("read -r hello; echo '{\"type\":\"hello\",\"protocol\":1}'; exit 7", {});
    EXPECT_TRUE(noted("starts again in 0.1 s"));
    EXPECT_TRUE(noted("starts again in 0.2 s"));
    EXPECT_TRUE(noted("starts again in 0.4 s"));
}

TEST_F(child_host, a_flood_of_stderr_is_cut) {
    const auto by = started(
        shell_child("flood) yes 'noise, noise' | head -n 50000 >&2; answer delivered ;;"), {});
    EXPECT_EQ(handle(*by, {R"("flood")"}).words(), words{"delivered"});
    by->close();
    EXPECT_GE(count_notes("stderr: noise"), 100);
    EXPECT_LT(count_notes("stderr: noise"), 5000);
    EXPECT_GE(count_notes("were dropped"), 1);
}

TEST_F(child_host, a_line_without_an_end_is_refused) {
    const auto by =
        started(shell_child("huge) head -c 3000000 /dev/zero | tr '\\0' x; sleep 1000 ;;"), {});
    const auto done = handle(*by, {R"("huge")", R"("a")"});
    EXPECT_EQ(done.words(), (words{"transient protocol_error", "delivered"}));
}

TEST_F(child_host, a_child_that_speaks_nonsense_is_replaced) {
    const auto by = started(shell_child(R"(print) echo Hello, world; sleep 1000 ;;
                       twice) answer delivered; answer delivered; sleep 1000 ;;
                       other) run=99999; answer delivered; sleep 1000 ;;
                       odd) answer perhaps; sleep 1000 ;;)"),
                            {});
    EXPECT_EQ(handle(*by, {R"("print")", R"("a")"}).words(),
              (words{"transient protocol_error", "delivered"}));
    EXPECT_EQ(handle(*by, {R"("other")"}).words(), words{"transient protocol_error"});
    EXPECT_EQ(handle(*by, {R"("odd")"}).words(), words{"transient protocol_error"});
    EXPECT_EQ(handle(*by, {R"("twice")", R"("a")"}).words()[0], "delivered");
    EXPECT_TRUE(noted("Hello, world"));
}

TEST_F(child_host, a_child_that_does_not_start_is_an_error_with_its_own_words) {
    EXPECT_EQ(why_it_did_not_start("echo no module named billing >&2; exit 1"),
              "--stay: the child ended before its hello: exited with 1: no module named billing");
    EXPECT_NE(why_it_did_not_start("read -r hello; echo '{\"type\":\"hello\",\"protocol\":2}'; cat")
                  .find("the child speaks protocol 2, this worker speaks 1"),
              std::string::npos);
    EXPECT_NE(why_it_did_not_start("read -r hello; echo Hello; cat").find("not a JSON object"),
              std::string::npos);
}

TEST_F(child_host, two_children_work_beside_each_other) {
    const auto by = started(shell_child(R"(first) touch $dir/one; await two; answer delivered ;;
                                           second) touch $dir/two; await one; answer delivered ;;)"),
                            {.children = 2});
    ASSERT_TRUE(noted("child 1 is process") && noted("child 2 is process"));
    EXPECT_EQ(handle(*by, {R"("first")", R"("second")"}).words(),
              (words{"delivered", "delivered"}));
}

TEST_F(child_host, outcomes_of_fast_messages_do_not_wait_for_a_slow_one) {
    const auto by = started(shell_child(R"(slow) { await go; answer delivered; } & continue ;;)",
                                        R"("batch":1,"concurrency":4)"),
                            {});
    std::vector<std::size_t> early;
    const early_function take = [&](std::size_t index, const outcome&) {
        early.push_back(index);
        if (early.size() == 2) {
            touch("go");
        }
    };
    EXPECT_EQ(handle(*by, {R"("slow")", R"("a")", R"("b")"}, {}, &take).words(),
              (words{"delivered", "delivered", "delivered"}));
    EXPECT_EQ(early, (std::vector<std::size_t>{1, 2}));
}

TEST_F(child_host, a_stop_lets_the_child_finish_running_messages) {
    const auto by = started(shell_child("slow) touch $dir/begun; await go; answer delivered ;;"),
                            {.in_flight = 1});
    run_of done;
    std::jthread worker([&] { done = handle(*by, {R"("slow")", R"("a")", R"("b")"}); });
    ASSERT_TRUE(eventually([&] { return exists("begun"); }));
    by->begin_stop();
    EXPECT_EQ(handle(*by, {R"("late")"}).words(), words{"interrupted stopped"});
    touch("go");
    worker.join();
    EXPECT_EQ(done.words(), (words{"delivered", "interrupted stopped", "interrupted stopped"}));
    by->close();
    EXPECT_EQ(count_notes("child_ended"), 0);
}

TEST_F(child_host, after_the_shutdown_timeout_a_child_is_ended_and_its_messages_are_given_back) {
    const auto by = started(shell_child("hang) touch $dir/begun; sleep 1000 ;;"), {});
    std::stop_source stop;
    run_of done;
    std::jthread worker([&] { done = handle(*by, {R"("hang")", R"("a")"}, stop.get_token()); });
    ASSERT_TRUE(eventually([&] { return exists("begun"); }));
    by->begin_stop();
    stop.request_stop();
    worker.join();
    EXPECT_EQ(done.words(), (words{"interrupted stopped", "interrupted stopped"}));
}

TEST_F(child_host, a_child_that_says_hello_after_the_stop_is_ended_in_time) {
    // Child 1 waits for the end of its input, says hello and stays.
    const auto by = started(R"(
        read -r hello
        case $hello in *'"child":1,'*) while read -r line; do :; done ;; esac
        echo '{"type":"hello","protocol":1}'
        case $hello in *'"child":1,'*) exec sleep 40 ;; esac
        while read -r line; do :; done)",
                            {.children = 2});
    const auto asked = std::chrono::steady_clock::now();
    by->close();
    EXPECT_LT(std::chrono::steady_clock::now() - asked, 25s);
}

TEST_F(child_host, large_messages_pass_while_the_child_answers) {
    const auto by = started(
        R"(LC_ALL=C exec sed -u -n -e '1s/.*/{"type":"hello","protocol":1,"batch":1}/p' \
            -e 's/^{"type":"messages","messages":\[{"run":\([0-9]*\),.*/{"type":"outcome","run":\1,"outcome":"delivered"}/p')",
        {});
    const std::vector<std::string> large(6, "[" + std::string(900'000, ' ') + "\n\r1]");
    EXPECT_EQ(handle(*by, large).words(), words(6, "delivered"));
}

}  // namespace
}  // namespace postrider::test
