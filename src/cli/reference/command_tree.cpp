#include "cli/reference/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

namespace postrider::cli {
namespace {

// The values of a check like "{viewer,operator}", which CLI11 has as text only.
std::vector<std::string> values_of(const std::string& type) {
    std::vector<std::string> values;
    const auto open = type.find('{');
    const auto close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) {
        return values;
    }
    std::string value;
    for (const char c : type.substr(open + 1, close - open)) {
        if (c == ',' || c == '}') {
            values.push_back(std::exchange(value, {}));
        } else {
            value += c;
        }
    }
    return values;
}

option_entry entry_of(const CLI::Option& option) {
    option_entry entry;
    for (const auto& name : option.get_snames()) {
        entry.names.push_back("-" + name);
    }
    for (const auto& name : option.get_lnames()) {
        entry.names.push_back("--" + name);
    }
    entry.argument = option.nonpositional() ? "" : option.get_name(true);
    if (option.get_items_expected_max() > 0) {
        const auto type = option.get_type_name();
        entry.type = type.substr(0, type.find(':'));
        entry.values = values_of(type);
        entry.initial = option.get_default_str();
    }
    entry.meaning = option.get_description();
    return entry;
}

command_entry entry_of(const CLI::App& app, const std::string& parent) {
    command_entry entry{.path = parent + app.get_name(),
                        .name = app.get_name(),
                        .meaning = app.get_description(),
                        .footer = app.get_footer(),
                        .options = {},
                        .commands = {},
                        .passes_on = app.get_prefix_command()};
    for (const auto* option : app.get_options()) {
        if (!option->get_group().empty()) {  // a hidden one
            entry.options.push_back(entry_of(*option));
        }
    }
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (!command->get_group().empty()) {
            entry.commands.push_back(entry_of(*command, entry.path + " "));
        }
    }
    return entry;
}

void visit(command_entry command, const std::vector<option_entry>& inherited,
           const std::function<void(const command_entry&)>& use) {
    for (const auto& option : inherited) {
        const bool own = std::ranges::any_of(
            command.options, [&](const auto& other) { return other.names == option.names; });
        if (!own && !option.names.empty() && !command.passes_on) {
            command.options.push_back(option);
        }
    }
    use(command);
    for (const auto& below : command.commands) {
        visit(below, command.options, use);
    }
}

}  // namespace

std::vector<std::string> value_keys(const command_entry& command, const option_entry& option) {
    std::vector<std::string> keys;
    if (option.values.empty()) {
        return keys;
    }
    for (const auto& name : option.names) {
        keys.push_back(command.path + " " + name);
    }
    return keys.empty() ? std::vector<std::string>{command.path} : keys;
}

command_entry command_tree(const CLI::App& root) { return entry_of(root, ""); }

void each_command(const command_entry& root, const std::function<void(const command_entry&)>& use) {
    visit(root, {}, use);
}

}  // namespace postrider::cli
