// Values that the protocol does not allow, given to the clients for Python and Node.js by a
// handler. tests/clients/values.py has more of them, without a host.
#include <cstdlib>

#include "child_protocol/host_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;
using words = std::vector<std::string>;

class client_values : public host_fixture, public ::testing::WithParamInterface<std::string> {
  protected:
    void SetUp() override {
        const auto& language = GetParam();
        if (std::system(("command -v " + language + " >/dev/null").c_str()) != 0) {
            GTEST_SKIP() << language << " is missing";
        }
        const std::string root = POSTRIDER_ROOT;
        by_ = started("PYTHONPATH=" + root + "/clients/python PYTHONDONTWRITEBYTECODE=1 exec " +
                          language + " " + root + "/tests/clients/children/values." +
                          (language == "node" ? "mjs" : "py"),
                      {.timeout = 20s});
    }
    std::shared_ptr<cli::child_host> by_;
};

TEST_P(client_values, texts_are_cleaned) {
    const auto done = handle(
        *by_, {R"({"progress":[0.5,"a\u0000b\ud83d"]})", R"({"result":{"name\u0000":"\ud83d"}})",
               R"({"error":"\ud83d\u0000"})", "{}"});
    EXPECT_EQ(done.words()[0], "delivered");
    EXPECT_EQ(done.words()[1], "delivered");
    EXPECT_EQ(done.outcomes[2].kind, outcome_kind::terminal);
    EXPECT_EQ(done.words()[3], "delivered");
    EXPECT_EQ(done.recorded.size(), 2U);
    EXPECT_EQ(count_notes("child_ended"), 0);
}

TEST_P(client_values, a_value_that_cannot_be_sent_fails_its_message_only) {
    const std::string deep = std::string(513, '[') + std::string(513, ']');
    const auto done =
        handle(*by_, {"{}", R"({"progress":["NaN","x"]})", R"({"result":)" + deep + "}",
                      R"({"result":")" + std::string(20'000, 'x') + "\"}", R"({"delay":1e400})",
                      R"({"progress":[0.5,")" + std::string(2'000'000, 'x') + "\"]}", "{}"});
    EXPECT_EQ(done.words()[0], "delivered");
    for (std::size_t i = 1; i <= 4; ++i) {
        EXPECT_EQ(done.outcomes[i].kind, outcome_kind::transient) << i;
        EXPECT_NE(done.outcomes[i].error_class, "protocol_error") << done.outcomes[i].error;
    }
    EXPECT_EQ(done.words()[5], "delivered");
    EXPECT_EQ(done.words()[6], "delivered");
    EXPECT_EQ(count_notes("child_ended"), 0);
}

INSTANTIATE_TEST_SUITE_P(, client_values, ::testing::Values("python3", "node"),
                         [](const auto& from) { return from.param; });

}  // namespace
}  // namespace postrider::test
