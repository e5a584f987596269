#include <gtest/gtest.h>

#include <csignal>
#include <memory>

#include "e2e/program.hpp"
#include "embedded/postmaster.hpp"
#include "embedded/server.hpp"

namespace postrider::test {
namespace {

class demo_test : public testing::Test {
  protected:
    void TearDown() override {
        embedded::server({.data_dir = postrider_.data_dir()}).stop_anyway();
    }
    std::unique_ptr<process> start(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"--no-fsync", "--data-dir",
                                             postrider_.data_dir().string(), "up", "--demo"});
        return std::make_unique<process>(program::command(arguments), postrider_.variables());
    }
    // The first summary that counts a delivery.
    static std::string first_success(process& demo, const std::string& field,
                                     const std::string& none) {
        auto line = demo.wait_for_line(field);
        while (line.find(field + none) != std::string::npos) {
            line = demo.wait_for_line(field);
        }
        return line;
    }
    bool server_runs() const {
        return embedded::find_postmaster(postrider_.data_dir() / "cluster").has_value();
    }
    // Nothing is left in the hands of a worker that is gone.
    void expect_nothing_held() const {
        const auto held = postrider_.run(
            {"psql", "-X", "-Atc",
             "select (select count(*) from postrider.lease where finished_at is null)"
             " + (select count(*) from postrider.delivery where status = 'in_flight')"
             " + (select count(*) from postrider.worker)"});
        EXPECT_EQ(held.output, "0\n");
    }

    program postrider_;
};

TEST_F(demo_test, it_delivers_until_ctrl_c_and_takes_the_server_with_it) {
    const auto demo = start({});
    first_success(*demo, "delivered ", "0 ");
    EXPECT_TRUE(server_runs());
    demo->kill(SIGINT);
    EXPECT_EQ(demo->wait(), 0) << demo->output();
    EXPECT_FALSE(server_runs());
    expect_nothing_held();
}

TEST_F(demo_test, it_speaks_json_on_request) {
    const auto demo = start({"--json"});
    const auto line = first_success(*demo, "\"delivered\":", "0,");
    EXPECT_EQ(line.front(), '{');
    for (const auto* field : {"published", "waiting", "retrying", "dead", "rate"}) {
        EXPECT_NE(line.find(std::string("\"") + field + "\":"), std::string::npos) << line;
    }
    demo->kill(SIGTERM);
    EXPECT_EQ(demo->wait(), 0) << demo->output();
}

TEST_F(demo_test, it_ends_with_an_error_when_the_server_is_taken_away) {
    const auto demo = start({});
    first_success(*demo, "delivered ", "0 ");
    embedded::server({.data_dir = postrider_.data_dir()}).stop_anyway();
    EXPECT_NE(demo->wait(), 0) << demo->output();
}

}  // namespace
}  // namespace postrider::test
