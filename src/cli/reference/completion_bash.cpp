#include "cli/reference/completion_script.hpp"

namespace postrider::cli {
namespace {

constexpr auto bash_begin = R"script(# Completion of postrider for bash. Source it, or write it to
# ~/.local/share/bash-completion/completions/postrider.
_postrider_at() {
    commands='' options='' valued=''
    case $1 in
)script";

// A word behind an option that takes a value is its value, also if a command has that name.
constexpr auto bash_end = R"script(    esac
}

_postrider_values() {
    case $1 in
@VALUES@    esac
}

_postrider() {
    local current=${COMP_WORDS[COMP_CWORD]} at=postrider option='' word='' i commands options valued
    _postrider_at "$at"
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [ "$word" = = ]; then
            continue
        elif [ -n "$option" ]; then
            option=''
        elif [[ " $valued " == *" $word "* ]]; then
            option=$word
        elif [[ " $commands " == *" $word "* ]]; then
            at="$at $word"
            _postrider_at "$at"
        fi
    done
    COMPREPLY=()
    [ "$current" != = ] || current=''
    if [ -n "$option" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_postrider_values "$at $option")" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -W "$commands $options $(_postrider_values "$at")" -- "$current")
    fi
}
complete -o bashdefault -o default -F _postrider postrider
)script";

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const auto& word : words) {
        all += (all.empty() ? "" : " ") + word;
    }
    return all;
}

}  // namespace

std::string shell_quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

std::string bash_completion(const command_entry& root) {
    std::string script = bash_begin;
    std::string values;
    each_command(root, [&](const command_entry& command) {
        std::vector<std::string> commands;
        std::vector<std::string> options;
        std::vector<std::string> valued;
        for (const auto& below : command.commands) {
            commands.push_back(below.name);
        }
        for (const auto& option : command.options) {
            options.insert(options.end(), option.names.begin(), option.names.end());
            if (!option.type.empty()) {
                valued.insert(valued.end(), option.names.begin(), option.names.end());
            }
            for (const auto& key : value_keys(command, option)) {
                values += "        " + shell_quoted(key) + ") echo " +
                          shell_quoted(joined(option.values)) + " ;;\n";
            }
        }
        script += "        " + shell_quoted(command.path) +
                  ")\n            commands=" + shell_quoted(joined(commands)) +
                  "\n            options=" + shell_quoted(joined(options)) +
                  "\n            valued=" + shell_quoted(joined(valued)) + "\n            ;;\n";
    });
    std::string end = bash_end;
    constexpr std::string_view place = "@VALUES@";
    return script + end.replace(end.find(place), place.size(), values);
}

}  // namespace postrider::cli
