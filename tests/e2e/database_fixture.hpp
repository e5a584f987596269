#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "e2e/program.hpp"
#include "support/test_database.hpp"

namespace postrider::test {

/// The program with a database of its own and a folder for the output of its commands.
class database_fixture : public ::testing::Test {
  protected:
    database_fixture() { postrider_.set("POSTRIDER_DATABASE_URL", database_.conninfo()); }

    /// The only value of a query.
    std::string value(const std::string& sql) {
        const auto rows = session_.exec(sql);
        return rows.empty() ? "" : std::string(rows.text(0, 0));
    }
    std::string path(const std::string& name) const { return (postrider_.home() / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }
    std::string read(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(path(name), std::ios::binary).rdbuf();
        return text.str();
    }
    bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
    /// A command line for a shell, in which $postrider is the program.
    finished_process shell(const std::string& command) const {
        auto variables = postrider_.variables();
        variables["postrider"] = POSTRIDER_PROGRAM;
        return test::run({"/bin/sh", "-c", command}, variables);
    }
    std::string publish(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "publish");
        const auto published = postrider_.run(std::move(arguments));
        EXPECT_EQ(published.status, 0) << published.output;
        return published.output.substr(0, published.output.find('\n'));
    }

    program postrider_;
    test_database database_;
    pg::connection session_ = database_.connect();
};

}  // namespace postrider::test
