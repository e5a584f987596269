#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "store/operate/operators.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

void add_run(CLI::App& group, context& shared) {
    struct flags {
        int limit = 1000;
        bool dry_run = false;
    };
    auto* command = group.add_subcommand("run", "Remove one slice of expired rows");
    const auto options = std::make_shared<flags>();
    command->add_option("--limit", options->limit, "maximum number of rows per table")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    command->add_flag("--dry-run", options->dry_run, "only show the planned actions");
    command->callback([&shared, options] {
        operator_session session(shared);
        print_listing(shared, store::retention_run(session, options->limit, options->dry_run),
                      {{"entity", "entity"},
                       {options->dry_run ? "would be" : "was", "action"},
                       {"things", "things", kind::number},
                       {"detail", "detail", kind::last}},
                      {.nothing = "no rows are due, or another session runs retention"});
    });
}

void add_retention_status(CLI::App& group, context& shared) {
    auto* command =
        group.add_subcommand("status", "Show the retention policies and the rows that are due");
    command->callback([&shared] {
        operator_session session(shared);
        print_listing(shared, store::retention_status(session),
                      {{"entity", "entity"},
                       {"class", "class"},
                       {"kept", "active_ttl"},
                       {"grace", "grace"},
                       {"disposal", "disposal"},
                       {"due", "due", kind::number},
                       {"soon", "soon", kind::number},
                       {"in grace", "in_grace", kind::number},
                       {"exact", "exact", kind::flag},
                       {"removed", "removed", kind::number},
                       {"last run", "last_run_at", kind::time},
                       {"held by", "held_by", kind::last}},
                      {.nothing = "no policies"});
    });
}

}  // namespace

void add_retention(CLI::App& app, context& shared) {
    auto* group = app.add_subcommand("retention", "Show or apply the retention policies");
    group->require_subcommand(1);
    group->footer(
        "Running workers apply retention automatically, slice by slice.\n\n"
        "Examples:\n"
        "  postrider retention status\n"
        "  postrider retention run --dry-run\n"
        "  postrider retention run --limit 100000");
    add_run(*group, shared);
    add_retention_status(*group, shared);
}

}  // namespace postrider::cli
