#include "cli/doctor/doctor.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/output/terminal_text.hpp"
#include "cli/output/times.hpp"

namespace postrider::cli {
namespace {

using store::level;

level worst_of(const findings& all) {
    level worst = level::ok;
    for (const auto& one : all) {
        worst = std::max(worst, one.how);
    }
    return worst;
}

void print_text(const findings& all, bool everything) {
    for (const auto& one : all) {
        if (one.how == level::ok && !everything) {
            continue;
        }
        fmt::print("{:<8} {:<13} {}\n", store::to_string(one.how), one.check, printable(one.what));
        if (one.how != level::ok) {
            fmt::print("{:<8} {:<13} {}\n", "", "  why", printable(one.why));
            fmt::print("{:<8} {:<13} {}\n", "", "  do", printable(one.todo));
        }
    }
    const auto count = [&](level how) {
        return std::ranges::count(all, how, &store::finding::how);
    };
    fmt::print("{}, {}, {}, {} fine\n", counted(count(level::problem), "problem"),
               counted(count(level::warning), "warning"), counted(count(level::note), "note"),
               count(level::ok));
}

int exit_code(level worst) {
    switch (worst) {
        case level::problem:
            return 2;
        case level::warning:
            return 1;
        case level::note:
        case level::ok:
            break;
    }
    return 0;
}

}  // namespace

std::string json_of(const findings& all) {
    json_array list;
    for (const auto& one : all) {
        json_object made;
        made.add("check", one.check).add("level", store::to_string(one.how)).add("what", one.what);
        if (one.how != level::ok) {
            made.add("why", one.why).add("do", one.todo);
        }
        list.add_raw(made.text());
    }
    json_object whole;
    whole.add("level", store::to_string(worst_of(all))).add_raw("findings", list.text());
    return whole.text();
}

void add_doctor(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("doctor", "Find problems and print the remedies");
    struct flags {
        std::vector<std::string> ignored;
        std::string overdue_after = "5m";
        std::string deployment;
        bool quiet = false;
    };
    const auto options = std::make_shared<flags>();
    command->add_option("--ignore", options->ignored, "names of checks to leave out");
    command
        ->add_option(
            "--overdue-after", options->overdue_after,
            "how long a message may wait, or a session hold back vacuum, before it is reported")
        ->capture_default_str();
    command->add_option("--deployment", options->deployment,
                        "deployment that the database should belong to (default: "
                        "POSTRIDER_DEPLOYMENT, then the configuration file)");
    command->add_flag("--quiet,-q", options->quiet, "print only findings that are not ok");
    command->footer(
        "Read-only. Checks the connection, the server's release, settings, vacuum and the sessions "
        "that hold it back,\nthe schema, roles, NOTIFY, partitions, consumers, handlers, routing, "
        "leases, circuits, replays, schedules and retention.\n"
        "Some checks need a role with postrider_operator and pg_monitor.\n\n"
        "Exit codes: 0 no problems (there may be notes), 1 warnings, 2 problems or no "
        "connection.\n\n"
        "Examples:\n"
        "  postrider doctor\n"
        "  postrider doctor --quiet --ignore settings --ignore 'dead letters' || page-on-call\n"
        "  postrider doctor --json | jq '.findings[] | select(.level == \"problem\")'");
    command->callback([&shared, options] {
        require_checks(options->ignored);
        const open_database database(shared);
        auto all =
            examine(database.conninfo(), parse_duration(options->overdue_after, "--overdue-after"),
                    choose_deployment(shared, options->deployment));
        std::erase_if(all, [&](const auto& one) {
            return std::ranges::find(options->ignored, one.check) != options->ignored.end();
        });
        if (shared.json) {
            fmt::print("{}\n", printable_json(json_of(all)));
        } else {
            print_text(all, !options->quiet);
        }
        shared.exit_code = exit_code(worst_of(all));
    });
}

}  // namespace postrider::cli
