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
    // No worker that has ended still holds a message.
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

TEST_F(demo_test, its_page_answers_at_the_link) {
    const auto demo = start({});
    const auto line = demo->wait_for_line("open http://127.0.0.1:");
    EXPECT_NE(line.find("#token="), std::string::npos) << line;
    const auto port = line.substr(line.rfind(':', line.find('#')) + 1, 5);
    const auto digits = port.substr(0, port.find_first_not_of("0123456789"));
    const auto page = run({"/bin/bash", "-c",
                           "exec 3<>/dev/tcp/127.0.0.1/" + digits +
                               "; printf 'GET /healthz HTTP/1.1\\r\\nHost: 127.0.0.1:" + digits +
                               "\\r\\nConnection: close\\r\\n\\r\\n' >&3; head -1 <&3"});
    EXPECT_NE(page.output.find(" 200 "), std::string::npos) << page.output;
    demo->kill(SIGTERM);
    EXPECT_EQ(demo->wait(), 0) << demo->output();
}

TEST_F(demo_test, it_speaks_json_on_request) {
    const auto demo = start({"--json"});
    const auto line = first_success(*demo, "\"delivered\":", "0,");
    EXPECT_EQ(line.front(), '{');
    for (const auto* field : {"published", "backlog", "retrying", "dead", "held", "rate"}) {
        EXPECT_NE(line.find(std::string("\"") + field + "\":"), std::string::npos) << line;
    }
    demo->kill(SIGTERM);
    EXPECT_EQ(demo->wait(), 0) << demo->output();
}

// The state of the demo after ten seconds.
TEST_F(demo_test, it_soon_has_dead_letters_an_open_circuit_and_a_replay) {
    const auto demo = start({"--json"});
    demo->wait_for_line("\"held\":1");
    const auto there = [&](const char* sql) {
        return postrider_.run({"psql", "-X", "-Atc", sql}).output;
    };
    const auto* const all_of_it =
        "select (select count(*) from postrider.replays) >= 2"
        " and (select count(distinct handler) from postrider.dead_letter_groups) >= 2";
    int seconds = 0;
    for (; seconds < 30 && there(all_of_it) != "t\n"; ++seconds) {
        demo->wait_for_line("\"held\":");
    }
    EXPECT_LT(seconds, 30) << there(
        "select handler, error_class, count from postrider.dead_letter_groups");
    EXPECT_EQ(there("select handler from postrider.handlers where circuit_state <> 'closed'"),
              "mail.send\n");
    EXPECT_EQ(there("select phase from postrider.replays where actor like 'agent:%'"),
              "proposed\n");
    EXPECT_EQ(there("select count(*) from postrider.consumers where workers = 1"), "4\n");
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
