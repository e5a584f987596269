#include "cli/reference/completion_script.hpp"

namespace postrider::cli {
namespace {

constexpr auto zsh_begin = R"script(#compdef postrider
# Completion of postrider for zsh. Write it to a file _postrider in a folder of $fpath.
_postrider_at() {
    known_commands=() known_options=() valued=()
    case $1 in
)script";

constexpr auto zsh_end = R"script(    esac
}

_postrider_values() {
    values=()
    case $1 in
@VALUES@    esac
}

_postrider() {
    local at=postrider option='' word i
    local -a known_commands known_options valued values names
    _postrider_at "$at"
    for ((i = 2; i < CURRENT; i++)); do
        word=$words[i]
        names=(${known_commands%%:*})
        if [[ -n $option ]]; then
            option=''
        elif (( ${valued[(Ie)$word]} )); then
            option=$word
        elif (( ${names[(Ie)$word]} )); then
            at="$at $word"
            _postrider_at "$at"
        fi
    done
    _postrider_values "$at${option:+ }$option"
    if [[ -z $option && $words[CURRENT] == -* ]]; then
        _describe -o option known_options
    elif [[ -z $option ]] && (( $#known_commands )); then
        _describe command known_commands
    elif (( $#values )); then
        _describe value values
    else
        _files
    fi
}

if [[ $funcstack[1] == _postrider ]]; then
    _postrider "$@"
else
    compdef _postrider postrider
fi
)script";

// An item of _describe; a colon in the name would end it.
std::string described(const std::string& name, const std::string& meaning) {
    return shell_quoted(name + ":" + meaning.substr(0, meaning.find('\n')));
}

}  // namespace

std::string zsh_completion(const command_entry& root) {
    std::string script = zsh_begin;
    std::string values;
    each_command(root, [&](const command_entry& command) {
        script += "        " + shell_quoted(command.path) + ")\n            known_commands=(";
        for (const auto& below : command.commands) {
            script += "\n                " + described(below.name, below.meaning);
        }
        script += ")\n            known_options=(";
        std::string valued;
        for (const auto& option : command.options) {
            for (const auto& name : option.names) {
                script += "\n                " + described(name, option.meaning);
                valued += option.type.empty() ? "" : " " + name;
            }
            for (const auto& key : value_keys(command, option)) {
                values += "        " + shell_quoted(key) + ") values=(";
                for (const auto& value : option.values) {
                    values += shell_quoted(value) + " ";
                }
                values += ") ;;\n";
            }
        }
        script += ")\n            valued=(" + valued + ")\n            ;;\n";
    });
    std::string end = zsh_end;
    constexpr std::string_view place = "@VALUES@";
    return script + end.replace(end.find(place), place.size(), values);
}

}  // namespace postrider::cli
