#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "e2e/embedded/embedded_fixture.hpp"

namespace postrider::test {
namespace {

TEST_F(embedded_test, up_runs_until_it_is_told_to_stop_and_takes_the_server_with_it) {
    const auto running = up({"--demo"});
    EXPECT_NE(postmaster(), 0);
    EXPECT_NE(select("select count(*) from postrider.migration"), "0\n");
    running->kill(SIGTERM);
    EXPECT_EQ(running->wait(), 0) << running->output();
    EXPECT_EQ(postmaster(), 0);
}

TEST_F(embedded_test, data_of_another_version_is_left_alone_and_the_remedy_is_named) {
    auto running = up();
    select("update postrider.migration set sha256 = repeat('0', 64) where version = 1");
    running->kill(SIGINT);
    EXPECT_EQ(running->wait(), 0);
    const auto refused = postrider_.run({"--no-fsync", "up"});
    EXPECT_NE(refused.status, 0);
    EXPECT_NE(refused.output.find("was applied with another content"), std::string::npos);
    EXPECT_NE(refused.output.find("--data-dir"), std::string::npos) << refused.output;
}

TEST_F(embedded_test, data_survives_a_restart) {
    auto running = up();
    write_something();
    running->kill(SIGINT);
    EXPECT_EQ(running->wait(), 0);
    running = up();
    expect_something();
}

TEST_F(embedded_test, a_second_up_uses_the_running_server_and_leaves_it_alone) {
    const auto first = up();
    const auto server_process = postmaster();
    const auto second = up();
    EXPECT_EQ(postmaster(), server_process);
    second->kill(SIGTERM);
    EXPECT_EQ(second->wait(), 0);
    EXPECT_EQ(postmaster(), server_process);
}

TEST_F(embedded_test, several_at_the_same_time_share_one_server) {
    std::vector<std::unique_ptr<process>> all;
    for (int i = 0; i < 3; ++i) {
        all.push_back(std::make_unique<process>(program::command({"--no-fsync", "up", "--keep"}),
                                                postrider_.variables()));
    }
    for (const auto& one : all) {
        one->wait_for_line("ready");
    }
    for (const auto& one : all) {
        one->kill(SIGTERM);
        EXPECT_EQ(one->wait(), 0) << one->output();
    }
    EXPECT_NE(postmaster(), 0);
}

TEST_F(embedded_test, a_killed_postmaster_is_replaced_and_nothing_is_lost) {
    auto running = up();
    write_something();
    const auto killed = postmaster();
    ASSERT_EQ(::kill(killed, SIGKILL), 0);
    running->kill(SIGTERM);
    running->wait();
    running = up();
    EXPECT_NE(postmaster(), killed);
    expect_something();
}

TEST_F(embedded_test, a_killed_up_leaves_a_server_that_the_next_one_takes_over) {
    auto running = up();
    const auto server_process = postmaster();
    running->kill(SIGKILL);
    running->wait();
    EXPECT_EQ(postmaster(), server_process);
    running = up();
    EXPECT_EQ(postmaster(), server_process);
    running->kill(SIGTERM);
    EXPECT_EQ(running->wait(), 0);
    EXPECT_EQ(postmaster(), 0);
}

TEST_F(embedded_test, a_stale_pid_of_another_process_is_harmless) {
    up()->kill(SIGTERM);
    server().stop_anyway();
    // Our own number is alive, and certainly no server.
    const auto file = postrider_.data_dir() / "cluster" / "postmaster.pid";
    std::ofstream(file) << ::getpid() << "\n" << postrider_.data_dir().string() << "\n";
    const auto running = up();
    EXPECT_NE(postmaster(), 0);
}

TEST_F(embedded_test, an_interrupted_creation_starts_over) {
    std::filesystem::create_directories(postrider_.data_dir());
    const auto running = up();
    running->kill(SIGTERM);
    running->wait();
    std::filesystem::rename(postrider_.data_dir() / "cluster",
                            postrider_.data_dir() / "log" / "cluster.new");
    std::filesystem::remove(postrider_.data_dir() / "log" / "cluster.new" / "PG_VERSION");
    const auto again = up();
    EXPECT_NE(postmaster(), 0);
}

TEST_F(embedded_test, as_root_the_server_runs_as_another_user) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root has privileges to drop";
    }
    const auto running = up();
    struct stat seen {};
    ASSERT_EQ(::stat(("/proc/" + std::to_string(postmaster())).c_str(), &seen), 0);
    EXPECT_NE(seen.st_uid, 0U);
    ASSERT_EQ(::stat((postrider_.data_dir() / "run").c_str(), &seen), 0);
    EXPECT_EQ(seen.st_mode & 0777U, 0700U);
}

TEST_F(embedded_test, the_server_is_not_reachable_through_the_network) {
    const auto running = up();
    EXPECT_EQ(select("show listen_addresses"), "\n");
}

TEST_F(embedded_test, a_server_that_cannot_start_shows_its_log) {
    up()->kill(SIGTERM);
    server().stop_anyway();
    std::ofstream(postrider_.data_dir() / "cluster" / "postgresql.conf", std::ios::app)
        << "no_such_setting = 1\n";
    const auto failed = postrider_.run({"up"});
    EXPECT_EQ(failed.status, 69);
    EXPECT_NE(failed.output.find("no_such_setting"), std::string::npos) << failed.output;
}

TEST_F(embedded_test, a_command_without_up_starts_the_server_for_itself_alone) {
    EXPECT_EQ(postrider_.run({"--no-fsync", "migrate", "up"}).status, 0);
    EXPECT_EQ(postmaster(), 0);
    EXPECT_EQ(postrider_.run({"migrate", "status"}).status, 0);
}

TEST_F(embedded_test, a_data_directory_with_a_very_long_path_works) {
    postrider_.set("POSTRIDER_DATA_DIR", (postrider_.home() / std::string(120, 'x')).string());
    const auto outcome = postrider_.run({"--no-fsync", "migrate", "up"});
    EXPECT_EQ(outcome.status, 0) << outcome.output;
}

}  // namespace
}  // namespace postrider::test
