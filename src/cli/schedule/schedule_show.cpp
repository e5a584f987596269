// The subcommands that change nothing.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>

#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "cli/output/times.hpp"
#include "cli/schedule/schedule.hpp"
#include "store/messages/encode.hpp"
#include "store/reads/views.hpp"
#include "store/work/schedules.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

store::listing required(pg::connection& session, const std::string& name) {
    auto rows = store::schedule(session, name);
    if (name.empty() || rows.empty()) {
        throw error(errc::message_not_found, "there is no schedule '" + name +
                                                 "'; `postrider schedule list` shows all of them");
    }
    return rows;
}

void print_schedule(const context& shared, const std::string& name) {
    operator_session session(shared);
    const auto row = required(session, name);
    if (shared.json) {
        fmt::print("{}\n", printable_json(row.json(0)));
        return;
    }
    for (const auto* member :
         {"schedule", "cron", "time_zone", "event_type", "target", "channel", "workspace_id",
          "overlap", "catch_up", "jitter", "paused", "paused_reason", "fired", "late", "skipped",
          "last_message_id", "owner"}) {
        if (row.has(0, member)) {
            fmt::print("{:<16} {}\n", member, printable(row.text(0, member)));
        }
    }
    for (const auto* member :
         {"next_slot", "queued_slot", "last_slot", "last_fired_at", "created_at", "changed_at"}) {
        if (row.has(0, member)) {
            fmt::print("{:<16} {}\n", member, time_text(row.text(0, member)));
        }
    }
    fmt::print("{:<16} {}\n", "message", printable(row.text(0, "message")));
}

struct next_options {
    std::string name;
    std::string time_zone;
    std::string from;
    store::slot_question question;
};

void print_next(const context& shared, const next_options& options) {
    auto question = options.question;
    if (options.name.empty() == question.cron.empty()) {
        throw usage_error("give the name of a schedule or --cron");
    }
    if (!options.from.empty()) {
        question.from = store::timestamp_text(parse_instant(options.from, "--from"));
    }
    operator_session session(shared);
    if (!options.name.empty()) {
        const auto row = required(session, options.name);
        question.cron = row.text(0, "cron");
        question.time_zone = row.text(0, "time_zone");
    }
    if (!options.time_zone.empty()) {
        question.time_zone = options.time_zone;
    }
    print_listing(shared, store::next_slots(session, question),
                  {{"slot", "slot", kind::time}, {question.time_zone, "local", kind::last}},
                  {.nothing = "no slot within forty years"});
}

}  // namespace

void add_schedule_list(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("list", "List schedules");
    const auto quiet = std::make_shared<bool>(false);
    command->add_flag("--quiet,-q", *quiet, "print only the names");
    command->footer("Example:\n  postrider schedule list --json");
    command->callback([&shared, quiet] {
        operator_session session(shared);
        print_listing(shared, store::schedules(session),
                      {{"schedule", "schedule"},
                       {"cron", "cron"},
                       {"time zone", "time_zone"},
                       {"event type", "event_type"},
                       {"overlap", "overlap"},
                       {"paused", "paused", kind::flag},
                       {"next", "next_slot", kind::time},
                       {"last", "last_slot", kind::time},
                       {"fired", "fired", kind::number},
                       {"late", "late", kind::number},
                       {"skipped", "skipped", kind::number},
                       {"owner", "owner", kind::last}},
                      {.nothing = "no schedules", .quiet_column = "schedule", .quiet = *quiet});
    });
}

void add_schedule_show(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("show", "Show a schedule and its message");
    const auto name = std::make_shared<std::string>();
    command->add_option("name", *name, "name of the schedule")->required();
    command->footer("Example:\n  postrider schedule show nightly-report");
    command->callback([&shared, name] { print_schedule(shared, *name); });
}

void add_schedule_next(CLI::App& group, context& shared) {
    auto* command =
        group.add_subcommand("next", "Show the next slots of a schedule or cron expression");
    const auto options = std::make_shared<next_options>();
    command->add_option("name", options->name, "name of the schedule");
    command->add_option("--cron", options->question.cron, "cron expression, instead of a name");
    command->add_option("--time-zone", options->time_zone,
                        "IANA time zone (default: the schedule's, or UTC)");
    command->add_option("--from", options->from, "ISO 8601 with time zone (default: now)");
    command->add_option("--count", options->question.count, "number of slots")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->footer(
        "Examples:\n"
        "  postrider schedule next nightly-report\n"
        "  postrider schedule next --cron '30 2 * * *' --time-zone Europe/Berlin \\\n"
        "      --from 2026-03-28T00:00:00Z --count 3");
    command->callback([&shared, options] { print_next(shared, *options); });
}

}  // namespace postrider::cli
