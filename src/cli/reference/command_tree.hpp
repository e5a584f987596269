#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace postrider::cli {

struct option_entry {
    std::vector<std::string> names;   ///< --channel, -q; empty: an argument without a name
    std::string argument;             ///< for an argument without a name: the name of its value
    std::string type;                 ///< of the value, such as TEXT; empty for a flag
    std::vector<std::string> values;  ///< if only these are allowed
    std::string initial;
    std::string meaning;
};

/// The commands and options of the CLI11 application, for pages and completions.
struct command_entry {
    std::string path;  ///< "postrider migrate up"
    std::string name;
    std::string meaning;
    std::string footer;
    std::vector<option_entry> options;
    std::vector<command_entry> commands;
    bool passes_on = false;  ///< takes the options of another program, and none of postrider's
};

command_entry command_tree(const CLI::App& root);

/// Where a completion looks up the values of an option: the command, and its names if it has some.
/// Empty if any value is allowed.
std::vector<std::string> value_keys(const command_entry& command, const option_entry& option);

/// The command and those below it, each with its parents' options behind its own: they can be given
/// anywhere.
void each_command(const command_entry& root, const std::function<void(const command_entry&)>& use);

}  // namespace postrider::cli
