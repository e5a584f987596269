#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "e2e/program.hpp"
#include "support/test_database.hpp"

namespace postrider::test {
namespace {

class database_url_test : public testing::Test {
  protected:
    bool has_schema() {
        return database_.connect()
            .exec("select to_regclass('postrider.migration') is not null")
            .get<bool>(0, 0);
    }
    void expect_no_private_server() {
        EXPECT_FALSE(std::filesystem::exists(postrider_.data_dir()));
    }

    program postrider_;
    test_database database_{test_database::contents::empty};
};

TEST_F(database_url_test, up_uses_the_named_database_instead_of_a_private_one) {
    process running(program::command({"up", "--database", database_.conninfo()}),
                    postrider_.variables());
    running.wait_for_line("ready");
    EXPECT_TRUE(has_schema());
    running.kill(SIGTERM);
    EXPECT_EQ(running.wait(), 0);
    expect_no_private_server();
}

TEST_F(database_url_test, the_environment_can_name_it) {
    postrider_.set("POSTRIDER_DATABASE_URL", database_.conninfo());
    EXPECT_EQ(postrider_.run({"migrate", "status"}).status, 1);
    EXPECT_EQ(postrider_.run({"migrate", "up"}).status, 0);
    EXPECT_EQ(postrider_.run({"migrate", "status"}).status, 0);
    expect_no_private_server();
}

TEST_F(database_url_test, the_configuration_file_can_name_it) {
    const auto file = postrider_.home() / "my.toml";
    std::ofstream(file) << "database = \"" << database_.conninfo() << "\"\n";
    const auto outcome =
        postrider_.run({"--config", file.string(), "psql", "-XAtc", "select 40 + 2"});
    EXPECT_EQ(outcome.output, "42\n");
    expect_no_private_server();
}

TEST_F(database_url_test, psql_passes_on_its_arguments_and_exit_code) {
    postrider_.set("POSTRIDER_DATABASE_URL", database_.conninfo());
    EXPECT_EQ(
        postrider_.run({"psql", "-X", "-v", "answer=42", "-Atc", "select 1 as x", "-x"}).output,
        "x|1\n");
    EXPECT_EQ(postrider_.run({"psql", "-Xc", "select no_column"}).status, 1);
}

}  // namespace
}  // namespace postrider::test
