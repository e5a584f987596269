#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "e2e/program.hpp"
#include "embedded/postmaster.hpp"
#include "embedded/server.hpp"

namespace postrider::test {

inline std::string content(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The program with a private PostgreSQL of its own, which does not outlive the test.
class embedded_test : public testing::Test {
  protected:
    void TearDown() override { server().stop_anyway(); }

    embedded::server server() const {
        return embedded::server({.data_dir = postrider_.data_dir()});
    }
    pid_t postmaster() const {
        return embedded::find_postmaster(postrider_.data_dir() / "cluster").value_or(0);
    }
    std::filesystem::path cluster() const { return postrider_.data_dir() / "cluster"; }
    std::unique_ptr<process> start(const std::vector<std::string>& arguments) const {
        return std::make_unique<process>(program::command(arguments), postrider_.variables());
    }
    void make_stopped_server() const {
        const auto made = postrider_.run({"--no-fsync", "migrate", "up"});
        ASSERT_EQ(made.status, 0) << made.output;
    }
    // A `postrider up` that has reported that it is ready.
    std::unique_ptr<process> up(std::vector<std::string> arguments = {}) const {
        arguments.insert(arguments.begin(), {"--no-fsync", "up"});
        auto started =
            std::make_unique<process>(program::command(arguments), postrider_.variables());
        started->wait_for_line("ready");
        return started;
    }
    std::string select(const std::string& sql) const {
        const auto outcome = postrider_.run({"psql", "-X", "-Atc", sql});
        EXPECT_EQ(outcome.status, 0) << outcome.output;
        return outcome.output;
    }
    void write_something() const {
        select("create table if not exists public.kept as select 42 as answer");
    }
    void expect_something() const { EXPECT_EQ(select("select answer from public.kept"), "42\n"); }

    program postrider_;
};

}  // namespace postrider::test
