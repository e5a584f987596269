#pragma once

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

}  // namespace postrider::cli
