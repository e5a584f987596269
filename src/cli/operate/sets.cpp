#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>

#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "store/reads/views.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

struct sets_options {
    std::string name;
    int limit = 50;
};

void list_sets(const context& shared, const sets_options& options) {
    operator_session session(shared);
    print_listing(shared, store::job_sets(session, options.name, {}, {.limit = options.limit}),
                  {{"name", "name"},
                   {"open", "open", kind::number},
                   {"ended", "ended", kind::number},
                   {"failed", "failed", kind::number},
                   {"dead", "dead"},
                   {"created", "created_at", kind::time},
                   {"completed", "completed_at", kind::time},
                   {"message", "message_id"},
                   {"problem", "problem", kind::last}},
                  {.nothing = "no set"});
}

}  // namespace

void add_sets(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("sets", "List sets of jobs, newest first");
    const auto options = std::make_shared<sets_options>();
    command->add_option("name", options->name, "only sets of this name");
    command->add_option("--limit", options->limit, "maximum number of sets")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->footer(
        "When the last open member of a set has ended, its message is published. failed counts "
        "members\nthat died, were cancelled or were lost with their consumer.\n\n"
        "Examples:\n"
        "  postrider sets\n"
        "  postrider sets import:42 --json");
    command->callback([&shared, options] { list_sets(shared, *options); });
}

}  // namespace postrider::cli
