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

std::string nearest(const CLI::App& group, const std::string& word) {
    std::string found;
    auto best = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const auto* command : group.get_subcommands([](const CLI::App*) { return true; })) {
        if (const auto far = distance(word, command->get_name()); far < best) {
            best = far;
            found = command->get_name();
        }
    }
    return found;
}

// CLI11 reports a missing subcommand, but not the unknown word.
std::string explained(const CLI::App& app, const CLI::ParseError& problem) {
    const CLI::App* group = &app;
    std::string path = "postrider";
    while (!group->get_subcommands().empty()) {
        group = group->get_subcommands().front();
        path += " " + group->get_name();
    }
    const auto left = app.remaining(true);
    const auto word = std::ranges::find_if(
        left, [](const std::string& one) { return !one.empty() && one.front() != '-'; });
    if (dynamic_cast<const CLI::RequiredError*>(&problem) == nullptr || word == left.end() ||
        group->get_require_subcommand_min() == 0) {
        return problem.what();
    }
    const auto meant = nearest(*group, *word);
    return fmt::format("{} has no command '{}'{}", path, *word,
                       meant.empty() ? "" : "; did you mean " + meant + "?");
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
