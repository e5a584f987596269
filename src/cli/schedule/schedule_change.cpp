// The subcommands that change a schedule or publish its messages.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/terminal_text.hpp"
#include "cli/output/times.hpp"
#include "cli/schedule/schedule.hpp"
#include "store/messages/encode.hpp"
#include "store/work/schedules.hpp"

namespace postrider::cli {
namespace {

struct schedule_change_options {
    std::string name;
    std::string from;
    std::string to;
    int limit = 1000;
    std::shared_ptr<audit_options> why;
};

std::shared_ptr<schedule_change_options> add_schedule_change(CLI::App& command, asks confirmation) {
    auto options = std::make_shared<schedule_change_options>();
    command.add_option("name", options->name, "name of the schedule")->required();
    options->why = add_audit_options(command, confirmation);
    return options;
}

void run_remove(context& shared, const schedule_change_options& options) {
    const auto entry = options.why->entry();
    operator_session session(shared);
    if (!confirmed(*options.why, fmt::format("remove schedule {}?", printable(options.name)))) {
        shared.exit_code = not_done_exit;
        return;
    }
    store::remove_schedule(session, options.name, entry);
    if (shared.json) {
        fmt::print("{}\n", json_object().add("removed", options.name).text());
    } else {
        fmt::print("{} is removed\n", printable(options.name));
    }
}

void run_backfill(const context& shared, const schedule_change_options& options) {
    const auto entry = options.why->entry();
    const store::slot_range range{store::timestamp_text(parse_instant(options.from, "--from")),
                                  store::timestamp_text(parse_instant(options.to, "--to"))};
    operator_session session(shared);
    const auto done = store::backfill_schedule(session, options.name, range, options.limit, entry);
    if (shared.json) {
        fmt::print("{}\n", json_object()
                               .add("schedule", options.name)
                               .add("fired", done.fired)
                               .add("next_from", done.next_from)
                               .text());
        return;
    }
    fmt::print("{} published\n", counted(done.fired, "message"));
    if (done.next_from) {
        fmt::print("more slots follow: continue with --from {}\n", *done.next_from);
    }
}

}  // namespace

void add_schedule_remove(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("remove", "Remove a schedule; its messages stay");
    const auto options = add_schedule_change(*command, asks::for_confirmation);
    command->footer(
        "A worker that declares the schedule defines it again when it starts.\n\n"
        "Example:\n  postrider schedule remove poll-bank --yes --reason 'they have a webhook'");
    command->callback([&shared, options] { run_remove(shared, *options); });
}

void add_schedule_pause(CLI::App& group, context& shared, bool pause) {
    auto* command = group.add_subcommand(pause ? "pause" : "resume",
                                         pause ? "Stop a schedule" : "Continue with the next slot");
    const auto options = add_schedule_change(*command, asks::nothing);
    command->footer(pause
                        ? "Slots of the pause do not fire later; `postrider schedule backfill` "
                          "fires them.\n\nExample:\n  postrider schedule pause poll-bank "
                          "--reason 'the bank has an outage'"
                        : "Example:\n  postrider schedule resume poll-bank --reason 'it is over'");
    command->callback([&shared, options, pause] {
        const auto entry = options->why->entry();
        operator_session session(shared);
        store::pause_schedule(session, options->name, pause, entry);
        if (shared.json) {
            fmt::print("{}\n",
                       json_object().add("schedule", options->name).add("paused", pause).text());
        } else {
            fmt::print("{} {}\n", printable(options->name), pause ? "is paused" : "goes on");
        }
    });
}

void add_schedule_run(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("run", "Publish the message of a schedule now");
    const auto options = add_schedule_change(*command, asks::nothing);
    command->footer(
        "Prints the id of the message. Works for a paused schedule, too, and ignores overlap.\n\n"
        "Example:\n"
        "  postrider schedule run nightly-report --reason 'to see whether it works'");
    command->callback([&shared, options] {
        const auto entry = options->why->entry();
        operator_session session(shared);
        const auto id = store::run_schedule(session, options->name, entry);
        if (shared.json) {
            fmt::print("{}\n", json_object().add("id", id).text());
        } else {
            fmt::print("{}\n", id);
        }
    });
}

void add_schedule_backfill(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("backfill", "Publish the messages of past slots");
    const auto options = add_schedule_change(*command, asks::nothing);
    command->add_option("--from", options->from, "first slot, ISO 8601 with time zone")->required();
    command->add_option("--to", options->to, "end, exclusive, ISO 8601 with time zone")->required();
    command->add_option("--limit", options->limit, "maximum number of messages")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->footer(
        "Also publishes slots that have fired. The message of a slot has the same id and "
        "idempotency key\neach time: a handler that uses the inbox has its effect once.\n\n"
        "Example:\n"
        "  postrider schedule backfill nightly-report --from 2026-03-01T00:00:00Z \\\n"
        "      --to 2026-03-08T00:00:00Z --reason 'it was paused for a week'");
    command->callback([&shared, options] { run_backfill(shared, *options); });
}

}  // namespace postrider::cli
