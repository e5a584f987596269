// Completion scripts and manual pages, in the programs they are for.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "e2e/program.hpp"

namespace postrider::test {
namespace {

bool has_program(const std::string& name) {
    return run({"/bin/sh", "-c", "command -v " + name}, {}).status == 0;
}

// The words of the commands that the help of a command lists.
std::vector<std::string> commands_of(const program& postrider, std::vector<std::string> command) {
    command.emplace_back("--help");
    std::istringstream help(postrider.run(command).output);
    std::vector<std::string> names;
    bool listed = false;
    for (std::string line; std::getline(help, line);) {
        listed = listed ? !line.empty() : line == "Subcommands:";
        std::smatch found;
        if (listed && std::regex_search(line, found, std::regex("^  ([a-z-]+) "))) {
            names.push_back(found.str(1));
        }
    }
    return names;
}

class completion : public testing::Test {
  protected:
    std::string script(const std::string& shell) const {
        const auto path = postrider_.home() / shell;
        if (!std::filesystem::exists(path)) {
            std::ofstream(path) << postrider_.run({"completion", shell}).output;
        }
        return path.string();
    }
    // The completions that bash offers for the last of the words.
    std::string bash(const std::string& words) const {
        return run({"/bin/bash", "-c",
                    "source " + script("bash") + "; COMP_WORDS=(postrider " + words +
                        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _postrider; "
                        "echo \"${COMPREPLY[*]}\""},
                   postrider_.variables())
            .output;
    }
    std::string fish(const std::string& line) const {
        return run({"/bin/sh", "-c",
                    "fish --no-config -c 'source " + script("fish") + "; complete -C \"" + line +
                        "\"'"},
                   postrider_.variables())
            .output;
    }

    program postrider_;
};

TEST_F(completion, bash_offers_commands_options_and_allowed_values) {
    EXPECT_EQ(bash("migr"), "migrate\n");
    const auto offered = std::regex_replace(bash("migrate ''"), std::regex("\n"), " ");
    for (const auto* word : {"up ", " status ", " print ", " --database ", " --json "}) {
        EXPECT_TRUE(contains(offered, word)) << word << ": " << offered;
    }
    EXPECT_EQ(bash("publish user.created --chan"), "--channel\n");
    EXPECT_EQ(bash("--database x migrate st"), "status\n");
    EXPECT_EQ(bash("token create --role v"), "viewer\n");
    EXPECT_EQ(bash("completion f"), "fish\n");
    // The value of an option, not a command: no word of postrider's.
    EXPECT_EQ(bash("--config migrate mig"), "migrate\n");
    EXPECT_EQ(bash("--config ''"), "\n");
    // psql has options of its own.
    EXPECT_EQ(bash("psql --jso"), "\n");
}

TEST_F(completion, bash_knows_every_command_of_the_help) {
    const auto commands = commands_of(postrider_, {});
    ASSERT_GT(commands.size(), 20U);
    const auto offered = " " + bash("''");
    for (const auto& command : commands) {
        EXPECT_TRUE(contains(offered, " " + command + " ")) << command;
    }
}

TEST_F(completion, fish_offers_commands_options_and_allowed_values) {
    if (!has_program("fish")) {
        GTEST_SKIP() << "fish is not installed";
    }
    EXPECT_TRUE(contains(fish("postrider migr"), "migrate\tInstall the schema"))
        << fish("postrider migr");
    EXPECT_TRUE(contains(fish("postrider --database x migrate st"), "status\t"));
    EXPECT_TRUE(contains(fish("postrider publish a --chan"), "--channel\t"));
    EXPECT_TRUE(contains(fish("postrider token create --role v"), "viewer"));
    EXPECT_FALSE(contains(fish("postrider migrate "), "publish"));
}

TEST_F(completion, zsh_loads_the_script_and_knows_every_command) {
    if (!has_program("zsh")) {
        GTEST_SKIP() << "zsh is not installed";
    }
    const auto loaded =
        run({"/bin/sh", "-c",
             "zsh -fc 'autoload -Uz compinit; compinit -u -D; source " + script("zsh") +
                 "; _postrider_at \"postrider migrate\"; print -l $known_commands; "
                 "print $_comps[postrider]'"},
            postrider_.variables());
    EXPECT_EQ(loaded.status, 0) << loaded.output;
    EXPECT_TRUE(contains(loaded.output, "up:Apply missing migrations")) << loaded.output;
    EXPECT_TRUE(contains(loaded.output, "_postrider\n")) << loaded.output;
}

TEST_F(completion, another_shell_is_refused) {
    const auto refused = postrider_.run({"completion", "tcsh"});
    EXPECT_EQ(refused.status, 64) << refused.output;
}

TEST_F(completion, every_command_has_a_manual_page) {
    EXPECT_EQ(postrider_.run({"man", "--directory", postrider_.home().string()}).status, 0);
    const auto commands = commands_of(postrider_, {});
    ASSERT_GT(commands.size(), 20U);
    const auto page_of = [this](const std::string& command) {
        std::ifstream file(postrider_.home() / ("postrider-" + command + ".1"));
        std::stringstream text;
        text << file.rdbuf();
        return text.str();
    };
    for (const auto& command : commands) {
        EXPECT_TRUE(contains(page_of(command), ".SH SYNOPSIS")) << command;
    }
    for (const std::string command : {"migrate", "dead-letters"}) {
        const auto below = commands_of(postrider_, {command});
        EXPECT_FALSE(below.empty()) << command;
        for (const auto& name : below) {
            const auto escaped = std::regex_replace(command + " " + name, std::regex("-"), "\\-");
            EXPECT_TRUE(contains(page_of(command), ".B postrider " + escaped)) << escaped;
        }
    }
    EXPECT_EQ(postrider_.run({"man", "nonsense"}).status, 64);
    EXPECT_NE(postrider_.run({"man", "--directory", "/nonexistent"}).status, 0);
}

TEST_F(completion, groff_formats_the_pages_without_a_warning) {
    if (!has_program("groff")) {
        GTEST_SKIP() << "groff is not installed";
    }
    for (const auto* command : {"", "migrate", "work", "publish", "psql"}) {
        auto variables = postrider_.variables();
        variables["postrider"] = POSTRIDER_PROGRAM;
        const auto shown = run(
            {"/bin/sh", "-c",
             std::string("$postrider man ") + command + " | groff -man -Tascii -ww -P-c -P-b -P-u"},
            variables);
        EXPECT_EQ(shown.status, 0) << shown.output;
        EXPECT_FALSE(contains(shown.output, "warning")) << shown.output;
        EXPECT_TRUE(contains(shown.output, "SYNOPSIS")) << shown.output;
        EXPECT_TRUE(contains(shown.output, "--database") || command == std::string("psql"))
            << shown.output;
    }
}

}  // namespace
}  // namespace postrider::test
