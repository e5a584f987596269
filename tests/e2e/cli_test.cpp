#include <gtest/gtest.h>

#include <fstream>

#include "e2e/program.hpp"

namespace postrider::test {
namespace {

// A command line for a shell, in which $postrider is the program.
finished_process shell(const program& postrider, const std::string& command) {
    auto variables = postrider.variables();
    variables["postrider"] = POSTRIDER_PROGRAM;
    return run({"/bin/sh", "-c", command}, variables);
}

TEST(cli, every_command_explains_itself) {
    const program postrider;
    for (const auto* command :
         {"up", "migrate", "publish", "work", "psql", "rebase", "config", "errors", "version"}) {
        const auto help = postrider.run({command, "--help"});
        EXPECT_EQ(help.status, 0) << command << help.output;
        EXPECT_TRUE(contains(help.output, command)) << help.output;
    }
}

TEST(cli, help_for_publish_and_work_shows_examples) {
    const program postrider;
    EXPECT_TRUE(contains(postrider.run({"publish", "--help"}).output,
                         "Examples:\n  postrider publish user.created"));
    EXPECT_TRUE(contains(postrider.run({"work", "--help"}).output,
                         "Examples:\n  postrider work --consumer"));
}

TEST(cli, nonsense_is_a_usage_error) {
    const program postrider;
    EXPECT_EQ(postrider.run({"nonsense"}).status, 64);
    EXPECT_EQ(postrider.run({}).status, 64);
    EXPECT_EQ(postrider.run({"up", "--nonsense"}).status, 64);
}

TEST(cli, a_misspelt_command_or_option_is_answered_with_the_closest_one) {
    const program postrider;
    const auto says = [&](const std::vector<std::string>& words, const std::string& expected) {
        const auto refused = postrider.run(words);
        EXPECT_EQ(refused.status, 64);
        EXPECT_TRUE(contains(refused.output, expected)) << refused.output;
    };
    says({"publsh"}, "postrider has no command 'publsh'; did you mean publish?");
    says({"migrate", "statsu"}, "postrider migrate has no command 'statsu'; did you mean status?");
    says({"publish", "a", "--chanel", "b"},
         "postrider publish has no option '--chanel'; did you mean --channel?");
    says({"config", "--databse=x"},
         "postrider config has no option '--databse'; did you mean --database?");
    // The option that is missing is the one that is misspelt.
    says({"work", "--consumr", "x", "--on", "y", "--exec", "z"}, "did you mean --consumer?");
    says({"up", "--nonsense"}, "postrider up has no option '--nonsense'\n");
    says({"--json", "publish", "a", "--chanel"},
         R"(has no option '--chanel'; did you mean --channel?")");
}

TEST(cli, the_version_is_an_option_too) {
    const program postrider;
    const auto version = postrider.run({"--version"});
    EXPECT_EQ(version.status, 0);
    EXPECT_EQ(version.output, postrider.run({"version"}).output);
}

TEST(cli, a_password_on_the_command_line_is_refused_and_not_repeated) {
    const program postrider;
    const auto refused =
        postrider.run({"migrate", "status", "--database", "postgresql://a:geheim@localhost/a"});
    EXPECT_EQ(refused.status, 64);
    EXPECT_TRUE(contains(refused.output, "PGPASSFILE")) << refused.output;
    EXPECT_FALSE(contains(refused.output, "geheim")) << refused.output;
}

TEST(cli, config_tells_the_database_and_where_it_was_named) {
    program postrider;
    EXPECT_TRUE(contains(postrider.run({"config"}).output, "private PostgreSQL"));
    postrider.set("POSTRIDER_DATABASE_URL", "postgresql://a:geheim@localhost/shop");
    const auto shown = postrider.run({"config", "--json"}).output;
    EXPECT_TRUE(contains(shown, "\"source\":\"POSTRIDER_DATABASE_URL\"")) << shown;
    EXPECT_TRUE(contains(shown, "dbname=shop")) << shown;
    EXPECT_FALSE(contains(shown, "geheim")) << shown;
}

TEST(cli, an_unreachable_database_has_an_exit_code_of_its_own) {
    const program postrider;
    const auto failed =
        postrider.run({"--json", "migrate", "status", "--database", "host=/nonexistent dbname=x"});
    EXPECT_EQ(failed.status, 69);
    EXPECT_TRUE(contains(failed.output, "\"error\":\"connection_failed\"")) << failed.output;
}

TEST(cli, missing_server_programs_are_an_error_that_names_the_package) {
    program postrider;
    postrider.set("PATH", "/nonexistent");
    postrider.set("POSTRIDER_POSTGRESQL_ROOT", "/nonexistent");
    const auto failed = postrider.run({"up"});
    EXPECT_EQ(failed.status, 69);
    EXPECT_TRUE(contains(failed.output, "apt-get install postgresql")) << failed.output;
    const auto configured = postrider.run({"up", "--bin-dir", "/also/nonexistent"});
    EXPECT_EQ(configured.status, 69);
    EXPECT_TRUE(contains(configured.output, "/also/nonexistent")) << configured.output;
}

TEST(cli, errors_and_version_are_printed_as_json_too) {
    const program postrider;
    EXPECT_TRUE(contains(postrider.run({"errors", "--json"}).output, "\"sqlstate\":\"PR001\""));
    EXPECT_TRUE(contains(postrider.run({"version", "--json"}).output, "{\"version\":\""));
    EXPECT_TRUE(contains(postrider.run({"errors", "--markdown"}).output, "| `too_large` |"));
}

TEST(cli, an_empty_setting_never_means_another_database) {
    const program postrider;
    EXPECT_EQ(postrider.run({"config", "--database", ""}).status, 64);
    EXPECT_EQ(postrider.run({"config", "--config", ""}).status, 64);
    const auto unset = shell(postrider, "POSTRIDER_DATABASE_URL= $postrider config");
    EXPECT_EQ(unset.status, 64);
    EXPECT_TRUE(contains(unset.output, "POSTRIDER_DATABASE_URL is empty")) << unset.output;
    const auto file = (postrider.home() / "my.toml").string();
    std::ofstream(file) << "database = \"\"\n";
    EXPECT_EQ(postrider.run({"config", "--config", file}).status, 78);
    EXPECT_EQ(postrider.run({"config", "--config", postrider.home().string()}).status, 78);
    std::ofstream(file) << "[server]\ndatabase = \"postgresql://localhost/a\"\n";
    const auto section = postrider.run({"config", "--config", file});
    EXPECT_EQ(section.status, 78);
    EXPECT_TRUE(contains(section.output, "unknown section [server]")) << section.output;
}

TEST(cli, output_that_is_lost_is_an_error) {
    const program postrider;
    for (const auto* command : {"version", "migrate print", "errors", "config --json", "--help"}) {
        const auto lost = shell(postrider, std::string("$postrider ") + command + " >/dev/full");
        EXPECT_EQ(lost.status, 74) << command;
        EXPECT_TRUE(contains(lost.output, "output could not be written")) << lost.output;
    }
    EXPECT_EQ(shell(postrider, "$postrider version >&-").status, 74);
}

TEST(cli, an_error_on_a_closed_stderr_keeps_its_exit_code) {
    const program postrider;
    for (const auto* nowhere : {"2>/dev/full", "2>&-"}) {
        EXPECT_EQ(
            shell(postrider, std::string("$postrider config --config /nowhere ") + nowhere).status,
            78);
    }
}

TEST(cli, a_command_line_that_makes_no_sense_is_explained) {
    const program postrider;
    const auto mistyped = postrider.run({"doctr"});
    EXPECT_TRUE(contains(mistyped.output, "no command 'doctr'; did you mean doctor?"))
        << mistyped.output;
    EXPECT_TRUE(contains(postrider.run({"dead-letters", "lst"}).output,
                         "postrider dead-letters has no command 'lst'"));
    const auto json = postrider.run({"up", "--nonsense", "--json"});
    EXPECT_EQ(json.status, 64);
    EXPECT_TRUE(json.output.starts_with("{\"error\":\"invalid_argument\"")) << json.output;
    const auto rate = postrider.run({"dead-letters", "replay", "--all", "--rate", "0"});
    EXPECT_TRUE(contains(rate.output, "greater than 0")) << rate.output;
    EXPECT_EQ(postrider.run({"publish", "a", "--generation", "1", "--channel", "c"}).status, 64);
    EXPECT_EQ(postrider.run({"publish", "a", "--generation", "-1"}).status, 64);
    EXPECT_EQ(postrider.run({"replay", "status", "99999999999999999999"}).status, 64);
}

}  // namespace
}  // namespace postrider::test
