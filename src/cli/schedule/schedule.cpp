#include "cli/schedule/schedule.hpp"

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"

namespace postrider::cli {

void add_schedule(CLI::App& app, context& shared) {
    auto* group = app.add_subcommand("schedule", "Messages published at fixed times or intervals");
    group->require_subcommand(1);
    group->footer(
        "Any running worker fires the schedules that are due.\n\n"
        "Examples:\n"
        "  postrider schedule set nightly-report --cron '0 3 * * *' --time-zone Europe/Berlin \\\n"
        "      --event-type report.due --overlap skip --reason 'finance asked for it'\n"
        "  postrider schedule next nightly-report\n"
        "  postrider schedule list\n"
        "  postrider schedule pause nightly-report --reason 'the report is being rewritten'\n"
        "  postrider schedule run nightly-report --reason 'to see whether it works'");
    add_schedule_list(*group, shared);
    add_schedule_show(*group, shared);
    add_schedule_next(*group, shared);
    add_schedule_set(*group, shared);
    add_schedule_remove(*group, shared);
    add_schedule_pause(*group, shared, true);
    add_schedule_pause(*group, shared, false);
    add_schedule_run(*group, shared);
    add_schedule_backfill(*group, shared);
}

}  // namespace postrider::cli
