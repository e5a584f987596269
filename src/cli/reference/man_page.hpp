#pragma once

#include <string>

#include "cli/reference/command_tree.hpp"

namespace postrider::cli {

/// The manual page of the program or of one of its commands, with the subcommands of that, as
/// troff with the macros of man(7). `root`: the program.
std::string man_page(const command_entry& root, const command_entry& command);

/// postrider for the program, postrider-migrate for a command.
std::string man_name(const command_entry& command);

}  // namespace postrider::cli
