// The behaviour of every child, in any language. Run against another command with
//   POSTRIDER_CHILD='./my-child' child_protocol_tests --gtest_filter='*conformance*'
// whose handler does what the payload says: {"do": "deliver"}, "fail", "terminal", "snooze",
// "record" (progress of 0.5 with the text "half", and the result {"n": 1}), "wait"
// (for the file in "file") or "crash".
#include <cstdlib>
#include <thread>

#include "child_protocol/host_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;
using words = std::vector<std::string>;

struct language {
    const char* name;
    const char* program;  ///< must be there
    const char* command;
};

// In the names of tests; without it they have its bytes.
void PrintTo(const language& one, std::ostream* to) { *to << one.name; }

class child_conformance : public host_fixture, public ::testing::WithParamInterface<language> {
  protected:
    void SetUp() override {
        const auto looked = std::string("command -v ") + GetParam().program + " >/dev/null";
        if (std::system(looked.c_str()) != 0) {
            GTEST_SKIP() << GetParam().program << " is missing";
        }
        ::setenv("POSTRIDER_ROOT", POSTRIDER_ROOT, 1);
        by_ = started(GetParam().command, {.timeout = 10s});
    }
    static std::string order(const std::string& action) { return R"({"do":")" + action + "\"}"; }
    std::string wait_for(const std::string& file) const {
        return R"({"do":"wait","file":")" + path(file) + "\"}";
    }

    std::shared_ptr<cli::child_host> by_;
};

TEST_P(child_conformance, outcomes_are_those_of_the_handler) {
    const auto done =
        handle(*by_, {order("deliver"), order("fail"), order("terminal"), order("snooze")});
    EXPECT_EQ(done.words(),
              (words{"delivered", "transient example", "terminal example", "snooze"}));
    EXPECT_EQ(done.outcomes[1].error, "as asked");
    EXPECT_EQ(done.outcomes[3].delay, 1500ms);
}

TEST_P(child_conformance, progress_and_results_are_recorded) {
    const auto done = handle(*by_, {order("deliver"), order("record")});
    EXPECT_EQ(done.words(), (words{"delivered", "delivered"}));
    EXPECT_EQ(done.recorded, (words{"1 0.5 half", R"(1 {"n":1})"}));
}

TEST_P(child_conformance, many_messages_are_answered_once_each) {
    EXPECT_EQ(handle(*by_, std::vector<std::string>(300, order("deliver"))).words(),
              words(300, "delivered"));
}

TEST_P(child_conformance, a_crash_is_charged_to_its_message) {
    const auto done = handle(*by_, {order("deliver"), order("crash"), order("deliver")});
    EXPECT_EQ(done.words(), (words{"delivered", "transient exit:3", "delivered"}));
}

TEST_P(child_conformance, a_stop_lets_running_messages_finish_and_then_the_child_ends) {
    run_of done;
    std::jthread worker([&] { done = handle(*by_, {wait_for("go")}); });
    ASSERT_TRUE(eventually([&] { return exists("go.begun"); }));
    by_->begin_stop();
    touch("go");
    worker.join();
    EXPECT_EQ(done.words(), words{"delivered"});
    const auto asked = std::chrono::steady_clock::now();
    by_->close();
    EXPECT_LT(std::chrono::steady_clock::now() - asked, 4s);  // it ends at the end of its input
}

TEST_P(child_conformance, a_document_of_any_shape_is_read) {
    EXPECT_EQ(
        handle(*by_, {R"({"do":"deliver","text":"é \"\\ \u00e9 \ud83d\ude00","n":1e3,"x":null})",
                      "{\"do\":\"deliver\",\n\"long\":\"" + std::string(500'000, 'x') + "\"}"})
            .words(),
        (words{"delivered", "delivered"}));
}

std::vector<language> languages() {
    std::vector<language> all{
        {"shell", "/bin/sh", "/bin/sh $POSTRIDER_ROOT/tests/child_protocol/children/child.sh"},
        {"python", "python3", "python3 $POSTRIDER_ROOT/tests/child_protocol/children/child.py"},
        {"python_batches", "python3",
         "python3 $POSTRIDER_ROOT/tests/child_protocol/children/child.py batches"},
        {"node", "node", "node $POSTRIDER_ROOT/tests/child_protocol/children/child.mjs"},
    };
    if (const char* command = std::getenv("POSTRIDER_CHILD")) {
        all.push_back({"given", "/bin/sh", command});
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(, child_conformance, ::testing::ValuesIn(languages()),
                         [](const auto& from) { return std::string(from.param.name); });

}  // namespace
}  // namespace postrider::test
