#pragma once

#include <string>

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace postrider::cli {

/// `postrider limit`.
void add_limit(CLI::App& app, context& shared);
// Its subcommands.
void add_limit_list(CLI::App& group, context& shared);
void add_limit_set(CLI::App& group, context& shared);
void add_limit_remove(CLI::App& group, context& shared);
/// Prints the result of the database's limit_preview().
void print_limit_preview(const context& shared, const std::string& handler,
                         const std::string& preview);

}  // namespace postrider::cli
