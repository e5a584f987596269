#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <postrider/migrate.hpp>

#include "base/embedded_files.hpp"
#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/output/say.hpp"
#include "cli/reference/sql_page.hpp"

namespace postrider::cli {
namespace {

void print_line(std::string_view line) { say("{}\n", line); }

void apply_migrations(const context& shared) {
    const open_database database(shared);
    const auto report =
        migrate_up({.database = database.conninfo(), .log = shared.json ? nullptr : print_line});
    if (shared.json) {
        json_array applied;
        for (const auto& name : report.applied) {
            applied.add_raw(json_string(name));
        }
        fmt::print("{}\n", json_object()
                               .add("version_before", report.version_before)
                               .add("version_after", report.version_after)
                               .add_raw("applied", applied.text())
                               .add("functions_replaced", report.functions_replaced)
                               .add("native", report.native)
                               .text());
    } else if (report.applied.empty() && !report.functions_replaced) {
        fmt::print("schema is current, version {}\n", report.version_after);
    } else {
        fmt::print("schema is now current, version {}\n", report.version_after);
    }
}

std::string_view state_of(const migration_entry& entry) {
    if (entry.drifted) {
        return "differs";
    }
    return entry.applied ? "applied" : "pending";
}

std::string as_json(const migration_report& report) {
    json_array migrations;
    for (const auto& entry : report.migrations) {
        migrations.add_raw(json_object()
                               .add("version", entry.version)
                               .add("name", entry.name)
                               .add("state", state_of(entry))
                               .add("breaking", entry.breaking)
                               .add("applied_at", entry.applied_at)
                               .text());
    }
    return json_object()
        .add("current", report.current)
        .add("version", report.version)
        .add("known_version", report.known_version)
        .add("functions_current", report.functions_current)
        .add("native", report.native)
        .add_raw("migrations", migrations.text())
        .text();
}

void run_status(context& shared) {
    constexpr int not_current_exit = 1;
    const open_database database(shared);
    const auto report = migration_status({.database = database.conninfo(), .log = {}});
    shared.exit_code = report.current ? 0 : not_current_exit;
    if (shared.json) {
        fmt::print("{}\n", as_json(report));
        return;
    }
    for (const auto& entry : report.migrations) {
        fmt::print("{:<8} {} {}\n", state_of(entry), entry.name, entry.applied_at);
    }
    fmt::print("{:<8} functions, views and grants\n",
               report.functions_current ? "current" : "pending");
    fmt::print("{:<8} {}\n", "native", report.native);
    if (std::ranges::any_of(report.migrations, &migration_entry::drifted)) {
        fmt::print(
            "the migrations marked as different were applied by another release: use that release, "
            "or restore the file; `postrider migrate up` refuses to run\n");
    } else if (report.version > report.known_version) {
        fmt::print("the schema is newer than this program: use a newer postrider\n");
    } else if (!report.current) {
        fmt::print("run `postrider migrate up`\n");
    }
}

}  // namespace

void add_migrate(CLI::App& app, context& shared) {
    auto* group = app.add_subcommand("migrate", "Install the schema or bring it up to date");
    group->require_subcommand(1);
    group->footer(
        "Examples:\n"
        "  postrider migrate up --database postgresql://app@localhost/app\n"
        "  postrider migrate status --json      exits with 1 unless the schema is current\n"
        "  postrider migrate print | psql -X app");
    group->add_subcommand("up", "Apply missing migrations; safe to run at any time")
        ->callback([&shared] { apply_migrations(shared); });
    group->add_subcommand("status", "Compare the database with this program")->callback([&shared] {
        run_status(shared);
    });
    auto* print = group->add_subcommand("print", "Print the whole schema as one script for psql");
    const auto reference = std::make_shared<bool>(false);
    print->add_flag("--reference", *reference,
                    "print the reference of functions and views as Markdown instead");
    print->callback([&shared, reference] {
        const auto text = *reference ? sql_page(embedded_files()) : migration_script();
        const auto name = *reference ? "reference" : "script";
        fmt::print("{}", shared.json ? json_object().add(name, text).text() + "\n" : text);
    });
}

}  // namespace postrider::cli
