#pragma once

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace postrider::cli {

// The subcommands of `postrider dead-letters`.
void add_dead_letters_list(CLI::App& group, context& shared);
void add_dead_letters_groups(CLI::App& group, context& shared);
void add_dead_letters_show(CLI::App& group, context& shared);
void add_dead_letters_export(CLI::App& group, context& shared);
void add_dead_letters_discard(CLI::App& group, context& shared);
void add_dead_letters_restore(CLI::App& group, context& shared);
void add_dead_letters_edit(CLI::App& group, context& shared);

}  // namespace postrider::cli
