// Starts that fail, wait or are interrupted, and servers that end.
#include <csignal>
#include <fstream>
#include <thread>

#include "e2e/embedded/embedded_fixture.hpp"
#include "e2e/terminal.hpp"
#include "support/eventually.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::test {
namespace {

using embedded_start_test = embedded_test;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

void refuse_all_clients(const fs::path& cluster) {
    std::ofstream(cluster / "pg_hba.conf") << "local all all reject\n";
}

// It does so before anything else, and then waits for one to come.
bool blocks_signals(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("SigBlk:")) {
            return (std::stoull(line.substr(7), nullptr, 16) & (1ULL << (SIGINT - 1))) != 0;
        }
    }
    return false;
}

TEST_F(embedded_start_test, a_failed_start_leaves_no_server) {
    make_stopped_server();
    refuse_all_clients(cluster());
    const auto failed = postrider_.run({"migrate", "status"});
    EXPECT_EQ(failed.status, 69);
    EXPECT_NE(failed.output.find("pg_hba.conf"), std::string::npos) << failed.output;
    EXPECT_EQ(postmaster(), 0);
}

TEST_F(embedded_start_test, a_server_that_refuses_us_is_told_at_once) {
    const auto running = up();
    refuse_all_clients(cluster());
    ASSERT_EQ(::kill(postmaster(), SIGHUP), 0);
    // The server accepts connections until it has reloaded its rules.
    std::string said;
    EXPECT_TRUE(eventually([&] {
        const auto begun = std::chrono::steady_clock::now();
        const auto outcome = postrider_.run({"migrate", "status"});
        EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
        said = outcome.output;
        return outcome.status == 69;
    }));
    EXPECT_NE(said.find("pg_hba.conf rejects"), std::string::npos) << said;
    EXPECT_NE(postmaster(), 0);
}

TEST_F(embedded_start_test, a_crowded_server_is_called_crowded_and_left_alone) {
    make_stopped_server();
    std::ofstream(cluster() / "postgresql.auto.conf")
        << "max_connections = 2\nsuperuser_reserved_connections = 0\nmax_wal_senders = 0\n";
    const auto running = up({"--no-page"});
    const auto server_process = postmaster();
    // A session that has just ended takes its place a moment longer.
    std::vector<std::unique_ptr<process>> crowd;
    EXPECT_TRUE(eventually([&] {
        auto one = start({"psql", "-X", "-c", "select 'here'", "-c", "select pg_sleep(60)"});
        try {
            one->wait_for_line("here");
            crowd.push_back(std::move(one));
        } catch (const std::runtime_error&) {
        }
        return crowd.size() == 2;
    }));
    const auto refused = postrider_.run({"migrate", "status"});
    EXPECT_EQ(refused.status, 69);
    EXPECT_NE(refused.output.find("too many clients"), std::string::npos) << refused.output;
    EXPECT_EQ(postmaster(), server_process);
}

TEST_F(embedded_start_test, ctrl_c_ends_a_start_that_waits) {
    make_stopped_server();
    // Like another process that is starting the server.
    const auto lock = embedded::file_lock::wait_for(postrider_.data_dir() / "start.lock");
    const auto waiting = start({"up"});
    EXPECT_TRUE(eventually([&] { return blocks_signals(waiting->id()); }));
    waiting->kill(SIGINT);
    EXPECT_EQ(waiting->wait(5s), 0) << waiting->output();
    EXPECT_EQ(postmaster(), 0);
}

TEST_F(embedded_start_test, ctrl_c_ends_the_wait_for_a_server_that_does_not_answer) {
    const auto running = up();
    fs::remove(postrider_.data_dir() / "run" / ".s.PGSQL.5432");
    const auto waiting = start({"up"});
    EXPECT_TRUE(eventually([&] { return blocks_signals(waiting->id()); }));
    waiting->kill(SIGINT);
    EXPECT_EQ(waiting->wait(5s), 0) << waiting->output();
    EXPECT_NE(postmaster(), 0);
}

TEST_F(embedded_start_test, ctrl_c_during_the_start_is_no_error) {
    make_stopped_server();
    // At any time: while a child runs, and before and after.
    for (const auto moment : {10ms, 40ms, 70ms, 100ms, 130ms, 160ms}) {
        terminal shell(program::command({"up"}), postrider_.variables(), {24, 80, 0, 0});
        EXPECT_TRUE(eventually([&] { return blocks_signals(shell.id()); }));
        std::this_thread::sleep_for(moment);
        shell.type("\x03");
        std::string shown;
        EXPECT_EQ(shell.wait(shown), 0) << shown;
        EXPECT_EQ(shown.find("postrider:"), std::string::npos) << shown;
        EXPECT_EQ(postmaster(), 0);
    }
    EXPECT_EQ(postrider_.run({"migrate", "status"}).status, 0);
}

// The terminal's Ctrl-C reaches the child as well, which then has no output.
TEST_F(embedded_start_test, ctrl_c_while_programs_are_looked_for_is_no_error) {
    const scratch_directory place;
    const auto& bin = place.path();
    const auto asked = bin / "asked";
    for (const auto* name : {"postgres", "initdb", "pg_ctl"}) {
        std::ofstream(bin / name) << "#!/bin/sh\n: > '" << asked.string() << "'\nexec sleep 60\n";
        fs::permissions(bin / name, fs::perms::owner_all);
    }
    terminal shell(program::command({"--bin-dir", bin.string(), "up"}), postrider_.variables(),
                   {24, 80, 0, 0});
    EXPECT_TRUE(eventually([&] { return fs::exists(asked); }));
    shell.type("\x03");
    std::string shown;
    EXPECT_EQ(shell.wait(shown), 0) << shown;
    EXPECT_EQ(shown.find("postrider:"), std::string::npos) << shown;
}

TEST_F(embedded_start_test, ctrl_c_during_the_creation_is_no_error) {
    const auto creating = start({"up"});
    EXPECT_TRUE(eventually(
        [&] { return fs::exists(postrider_.data_dir() / "log" / "cluster.new" / "base"); }));
    creating->kill(SIGINT);
    EXPECT_EQ(creating->wait(20s), 0) << creating->output();
    EXPECT_EQ(creating->output(), "");
    EXPECT_FALSE(fs::exists(cluster()));
    EXPECT_EQ(postrider_.run({"--no-fsync", "migrate", "up"}).status, 0);
}

TEST_F(embedded_start_test, a_running_command_notices_that_its_server_is_gone) {
    make_stopped_server();
    const std::vector<std::vector<std::string>> commands{
        {"up"}, {"up", "--demo"}, {"serve", "--port", "0"}};
    for (const auto& command : commands) {
        const auto running = start(command);
        running->wait_for_line("http://");
        ASSERT_EQ(::kill(postmaster(), SIGKILL), 0);
        EXPECT_EQ(running->wait(10s), 69) << running->output();
        EXPECT_NE(running->output().find("has ended"), std::string::npos) << running->output();
        EXPECT_NE(running->output().find("ready to accept"), std::string::npos)
            << running->output();
    }
}

TEST_F(embedded_start_test, a_terminated_psql_takes_its_server_with_it) {
    make_stopped_server();
    const auto running = start({"psql", "-X", "-c", "select 'here'", "-c", "select pg_sleep(60)"});
    running->wait_for_line("here");
    running->kill(SIGTERM);
    EXPECT_EQ(running->wait(20s), 128 + SIGTERM) << running->output();
    EXPECT_EQ(postmaster(), 0);
}

}  // namespace
}  // namespace postrider::test
