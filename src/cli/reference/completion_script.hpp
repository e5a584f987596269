#pragma once

#include <string>

#include "cli/reference/command_tree.hpp"

namespace postrider::cli {

// Scripts that make a shell complete commands, options and the values that a check allows. All
// else is completed as a file name.
std::string bash_completion(const command_entry& root);
std::string zsh_completion(const command_entry& root);
std::string fish_completion(const command_entry& root);

/// Text in single quotes for bash and zsh.
std::string shell_quoted(const std::string& text);

}  // namespace postrider::cli
