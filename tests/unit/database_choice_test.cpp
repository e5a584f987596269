#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <postrider/error.hpp>

#include "cli/database.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::cli {
namespace {

class database_choice_test : public ::testing::Test {
  protected:
    void SetUp() override {
        ::unsetenv("POSTRIDER_DATABASE_URL");
        ::setenv("XDG_CONFIG_HOME", home_.path().c_str(), 1);
    }

    std::filesystem::path write_config(const std::string& text) {
        const auto file = home_.path() / "postrider" / "config.toml";
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
        return file;
    }

    test::scratch_directory home_;
    context shared_;
};

TEST_F(database_choice_test, without_any_word_the_private_server_is_used) {
    EXPECT_EQ(choose_database(shared_).source, database_source::embedded);
}

TEST_F(database_choice_test, flag_wins_over_environment_over_file) {
    write_config("database = \"postgresql:///from_file\"\n");
    EXPECT_EQ(choose_database(shared_).url, "postgresql:///from_file");
    ::setenv("POSTRIDER_DATABASE_URL", "postgresql:///from_environment", 1);
    EXPECT_EQ(choose_database(shared_).url, "postgresql:///from_environment");
    shared_.database = "postgresql:///from_flag";
    EXPECT_EQ(choose_database(shared_).url, "postgresql:///from_flag");
    EXPECT_EQ(choose_database(shared_).source, database_source::flag);
}

TEST_F(database_choice_test, a_named_file_is_used_and_must_exist) {
    shared_.config_file = (home_.path() / "other.toml").string();
    EXPECT_THROW(choose_database(shared_), error);
    std::ofstream(shared_.config_file) << "database = 'host=/run/x dbname=shop'\n";
    EXPECT_EQ(choose_database(shared_).url, "host=/run/x dbname=shop");
}

TEST_F(database_choice_test, an_unknown_setting_is_refused) {
    write_config("databse = \"postgresql:///typo\"\n");
    EXPECT_THROW(choose_database(shared_), error);
}

TEST_F(database_choice_test, a_password_is_refused_in_arguments_and_welcome_elsewhere) {
    const std::string url = "postgresql://app:secret@localhost/app";
    shared_.database = url;
    try {
        choose_database(shared_);
        FAIL() << "accepted";
    } catch (const usage_error& problem) {
        const std::string text = problem.what();
        EXPECT_EQ(text.find("secret"), std::string::npos);
        EXPECT_NE(text.find("PGPASSFILE"), std::string::npos);
        EXPECT_NE(text.find("POSTRIDER_DATABASE_URL"), std::string::npos);
    }
    shared_.database.clear();
    ::setenv("POSTRIDER_DATABASE_URL", url.c_str(), 1);
    EXPECT_EQ(choose_database(shared_).url, url);
}

}  // namespace
}  // namespace postrider::cli
