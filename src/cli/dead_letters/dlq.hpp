#pragma once

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace postrider::cli {

// The subcommands of `postrider dlq`.
void add_dlq_list(CLI::App& group, context& shared);
void add_dlq_groups(CLI::App& group, context& shared);
void add_dlq_show(CLI::App& group, context& shared);
void add_dlq_discard(CLI::App& group, context& shared);
void add_dlq_restore(CLI::App& group, context& shared);
void add_dlq_edit(CLI::App& group, context& shared);

}  // namespace postrider::cli
