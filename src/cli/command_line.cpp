#include "cli/command_line.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>
#include <postrider/error.hpp>
#include <string_view>
#include <vector>

#include "cli/report_error.hpp"

namespace postrider::cli {
namespace {

// Edit distance.
std::size_t distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const auto changed = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

// "; did you mean x?", or nothing if no name is similar.
std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
    std::string found;
    auto best = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const auto& name : names) {
        if (const auto far = distance(word, name); far < best) {
            best = far;
            found = name;
        }
    }
    return found.empty() ? "" : "; did you mean " + found + "?";
}

std::vector<std::string> commands_of(const CLI::App& group) {
    std::vector<std::string> names;
    for (const auto* command : group.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    return names;
}

// Those of its parents, too: they can be given behind the command.
std::vector<std::string> options_of(const CLI::App* group) {
    std::vector<std::string> names;
    for (; group != nullptr; group = group->get_parent()) {
        for (const auto* option : group->get_options()) {
            for (const auto& name : option->get_lnames()) {
                names.push_back("--" + name);
            }
        }
    }
    return names;
}

// CLI11 reports a missing subcommand or option, but not the unknown word.
std::string explained(const CLI::App& app, const CLI::ParseError& problem) {
    const CLI::App* group = &app;
    std::string path = "postrider";
    while (!group->get_subcommands().empty()) {
        group = group->get_subcommands().front();
        path += " " + group->get_name();
    }
    const auto left = app.remaining(true);
    const bool required = dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr;
    const bool extra = dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr;
    const auto option = std::ranges::find_if(
        left, [](const std::string& one) { return one.starts_with("--") && one.size() > 2; });
    if ((required || extra) && option != left.end() && !group->get_prefix_command()) {
        const auto name = option->substr(0, option->find('='));
        return fmt::format("{} has no option '{}'{}", path, name,
                           suggestion(name, options_of(group)));
    }
    const auto word = std::ranges::find_if(
        left, [](const std::string& one) { return !one.empty() && one.front() != '-'; });
    if (!required || word == left.end() || group->get_require_subcommand_min() == 0) {
        return problem.what();
    }
    return fmt::format("{} has no command '{}'{}", path, *word,
                       suggestion(*word, commands_of(*group)));
}

}  // namespace

bool asks_for_json(std::span<char*> words) {
    for (const std::string_view word : words) {
        if (word == "--" || word == "--json") {
            return word == "--json";
        }
    }
    return false;
}

int refuse_command_line(const CLI::App& app, const CLI::ParseError& problem, bool json) {
    if (problem.get_exit_code() == 0) {
        return app.exit(problem);
    }
    report_error(usage_error(explained(app, problem) +
                             (json ? "" : "\nRun with --help for more information.")),
                 json);
    return usage_exit;
}

}  // namespace postrider::cli
