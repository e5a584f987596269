#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/reference/man_page.hpp"

namespace postrider::cli {
namespace {

struct man_options {
    std::string command;
    std::string directory;
};

std::string page_of(const command_entry& root, const std::string& name) {
    if (name.empty()) {
        return man_page(root, root);
    }
    const auto found = std::ranges::find(root.commands, name, &command_entry::name);
    if (found == root.commands.end()) {
        throw usage_error("postrider has no command '" + name + "'");
    }
    return man_page(root, *found);
}

void write_page(const std::filesystem::path& directory, const command_entry& root,
                const command_entry& command) {
    const auto path = directory / (man_name(command) + ".1");
    std::ofstream file(path);
    file << man_page(root, command) << std::flush;
    if (!file) {
        throw usage_error("cannot write " + path.string());
    }
}

}  // namespace

void add_man(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("man", "Print a manual page");
    command->footer(
        "Packages install the pages, so that `man postrider-migrate` works.\n\n"
        "Examples:\n"
        "  postrider man migrate | man -l -\n"
        "  postrider man --directory /usr/local/share/man/man1");
    const auto options = std::make_shared<man_options>();
    command->add_option("command", options->command, "command; without one the program itself");
    command->add_option("--directory", options->directory,
                        "directory to write the pages of all commands to");
    command->callback([&app, &shared, options] {
        const auto root = command_tree(app);
        if (options->directory.empty()) {
            const auto page = page_of(root, options->command);
            fmt::print("{}", shared.json ? json_object().add("page", page).text() + "\n" : page);
            return;
        }
        write_page(options->directory, root, root);
        for (const auto& one : root.commands) {
            write_page(options->directory, root, one);
        }
    });
}

}  // namespace postrider::cli
