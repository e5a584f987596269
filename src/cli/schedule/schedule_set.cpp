#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/terminal_text.hpp"
#include "cli/output/times.hpp"
#include "cli/publish/message_flags.hpp"
#include "cli/publish/read_payload.hpp"
#include "cli/schedule/schedule.hpp"
#include "client/publish/schedule_definition.hpp"
#include "store/work/schedules.hpp"

namespace postrider::cli {
namespace {

struct set_options {
    schedule definition;
    message_flags flags;
    std::optional<std::string> payload;
    std::string payload_file;
    std::string overlap = "allow";
    std::string catch_up = "1h";
    std::string jitter = "0s";
    std::shared_ptr<audit_options> why;
};

schedule schedule_of(const set_options& options) {
    if (options.payload && !options.payload_file.empty()) {
        throw usage_error("give --payload or --payload-file, not both");
    }
    auto made = options.definition;
    made.message = options.flags.envelope();
    made.message.trace_context.reset();  // of this command, not of the messages
    made.message.payload = options.payload                ? *options.payload
                           : options.payload_file.empty() ? "{}"
                                                          : read_payload(options.payload_file);
    made.overlap = client::overlap_from(options.overlap);
    made.catch_up =
        std::chrono::floor<std::chrono::seconds>(parse_duration(options.catch_up, "--catch-up"));
    made.jitter = parse_duration(options.jitter, "--jitter");
    return made;
}

std::string_view text_of(store::schedule_change change) {
    switch (change) {
        case store::schedule_change::created:
            return "created";
        case store::schedule_change::changed:
            return "changed";
        case store::schedule_change::unchanged:
            break;
    }
    return "unchanged";
}

void run(const context& shared, const set_options& options) {
    const auto entry = options.why->entry();
    const auto made = schedule_of(options);
    const auto definition = client::schedule_definition(made);
    operator_session session(shared);
    const auto change = store::define_schedule(session, made.name, definition, entry);
    if (shared.json) {
        fmt::print("{}\n",
                   json_object().add("schedule", made.name).add("result", text_of(change)).text());
    } else {
        fmt::print("{} is {}\n", printable(made.name), text_of(change));
    }
}

constexpr const char* set_footer =
    "A schedule that exists gets the given definition; options that are left out get their "
    "defaults.\n"
    "--cron has five fields (minute, hour, day of month, month, day of week), six with the second "
    "first,\nor is @every 1h30m, @hourly, @daily, @weekly, @monthly or @yearly.\n\n"
    "Examples:\n"
    "  postrider schedule set nightly-report --cron '0 3 * * *' --time-zone Europe/Berlin \\\n"
    "      --event-type report.due --overlap skip --reason 'finance asked for it'\n"
    "  postrider schedule set poll-bank --cron '@every 5m' --jitter 30s --event-type bank.poll \\\n"
    "      --target payments --payload '{\"account\": 7}' --reason 'no webhook'";

}  // namespace

void add_schedule_set(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("set", "Define a schedule");
    const auto options = std::make_shared<set_options>();
    command->add_option("name", options->definition.name, "name of the schedule")->required();
    command->add_option("--cron", options->definition.cron, "cron expression or @every")
        ->required();
    command->add_option("--event-type", options->flags.event_type, "event type of the message")
        ->required();
    command
        ->add_option("--time-zone", options->definition.time_zone,
                     "IANA time zone of the expression")
        ->capture_default_str();
    command
        ->add_option("--overlap", options->overlap,
                     "slots while the last message is unfinished: allow, skip or queue_one")
        ->capture_default_str();
    command->add_option("--catch-up", options->catch_up, "maximum delay of a slot: 10s to 366d")
        ->capture_default_str();
    command->add_option("--jitter", options->jitter, "maximum random delay per slot, up to 1d")
        ->capture_default_str();
    command->add_option("--payload", options->payload, "JSON (default: {})");
    command->add_option("--payload-file", options->payload_file,
                        "file with the payload, - for standard input");
    options->flags.add_lasting_to(*command);
    options->why = add_audit_options(*command, asks::nothing);
    command->footer(set_footer);
    command->callback([&shared, options] { run(shared, *options); });
}

}  // namespace postrider::cli
