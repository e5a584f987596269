#pragma once

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace postrider::cli {

// The subcommands of `postrider schedule`.
void add_schedule_list(CLI::App& group, context& shared);
void add_schedule_show(CLI::App& group, context& shared);
void add_schedule_next(CLI::App& group, context& shared);
void add_schedule_set(CLI::App& group, context& shared);
void add_schedule_remove(CLI::App& group, context& shared);
void add_schedule_pause(CLI::App& group, context& shared, bool pause);
void add_schedule_run(CLI::App& group, context& shared);
void add_schedule_backfill(CLI::App& group, context& shared);

}  // namespace postrider::cli
