#include "cli/reference/completion_script.hpp"

namespace postrider::cli {
namespace {

constexpr auto fish_begin =
    R"script(# Completion of postrider for fish. Write it to ~/.config/fish/completions/postrider.fish.
function __postrider_at
    set -l at postrider
    set -l value no
    for word in (commandline -opc)[2..-1]
        if test $value = yes
            set value no
        else if contains -- "$at $word" $__postrider_valued
            set value yes
        else if contains -- "$at $word" $__postrider_commands
            set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
)script";

std::string fish_quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') {
            quoted += '\\';
        }
        quoted += c;
    }
    return quoted + "'";
}

std::string option_line(const command_entry& command, const option_entry& option) {
    std::string line =
        "complete -c postrider -n " + fish_quoted("__postrider_at " + fish_quoted(command.path));
    for (const auto& name : option.names) {
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    std::string values;
    for (const auto& value : option.values) {
        values += (values.empty() ? "" : " ") + value;
    }
    line += option.type.empty() || option.names.empty() ? "" : " -r";
    line += values.empty() ? "" : " -f -a " + fish_quoted(values);
    return line + " -d " + fish_quoted(option.meaning.substr(0, option.meaning.find('\n'))) + "\n";
}

}  // namespace

std::string fish_completion(const command_entry& root) {
    std::string known;
    std::string valued;
    std::string lines;
    each_command(root, [&](const command_entry& command) {
        for (const auto& below : command.commands) {
            known += " " + fish_quoted(below.path);
            lines += "complete -c postrider -f -n " +
                     fish_quoted("__postrider_at " + fish_quoted(command.path)) + " -a " +
                     fish_quoted(below.name) + " -d " + fish_quoted(below.meaning) + "\n";
        }
        for (const auto& option : command.options) {
            for (const auto& name :
                 option.type.empty() ? std::vector<std::string>() : option.names) {
                valued += " " + fish_quoted(command.path + " " + name);
            }
            if (!option.names.empty() || !option.values.empty()) {
                lines += option_line(command, option);
            }
        }
    });
    return std::string(fish_begin) + "set -g __postrider_commands" + known +
           "\nset -g __postrider_valued" + valued + "\n" + lines;
}

}  // namespace postrider::cli
