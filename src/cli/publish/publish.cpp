#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>
#include <postrider/publish.hpp>
#include <postrider/transaction.hpp>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/output/times.hpp"
#include "cli/publish/message_flags.hpp"
#include "cli/publish/message_line.hpp"
#include "cli/publish/publish_lines.hpp"
#include "cli/publish/read_payload.hpp"
#include "client/publish/check_message.hpp"

namespace postrider::cli {
namespace {

struct publish_options {
    message_flags flags;
    std::optional<std::string> payload;
    std::string payload_file;
    std::string from_stdin;
    std::string many;
    bool batch_commit = false;
    std::string set;
    std::string then;
    bool dead_blocks = false;
};

std::string payload_of(const publish_options& options) {
    if (options.payload) {
        return *options.payload;
    }
    if (options.from_stdin == "-") {
        return read_payload("-");
    }
    return options.payload_file.empty() ? "{}" : read_payload(options.payload_file);
}

// By the database's clock, like all due times.
void delay_until(message& to, const std::string& database, const std::string& delay) {
    const auto length = parse_duration(delay, "--delay");
    connection session(database);
    transaction asking(session);
    const auto now =
        asking.exec("select (extract(epoch from pg_catalog.clock_timestamp()) * 1000000)::bigint");
    to.available_at = std::chrono::system_clock::time_point(
                          std::chrono::microseconds(std::stoll(std::string(now.text(0, 0))))) +
                      length;
}

void show(const context& shared, const unique_result& job, const unique_key& unique) {
    if (shared.json) {
        fmt::print("{}\n", json_object().add("id", job.id).add("duplicate", job.duplicate).text());
        return;
    }
    fmt::print("{}\n", job.id);
    if (job.duplicate) {
        fmt::print(stderr, "not published: this job holds the unique key '{}'\n", unique.key);
    }
}

void publish_one(const context& shared, const publish_options& options) {
    auto outgoing = options.flags.envelope();
    const auto unique = options.flags.unique();
    outgoing.payload = payload_of(options);
    client::check_message(outgoing, "publish");
    const open_database database(shared);
    if (options.flags.delay) {
        delay_until(outgoing, database.conninfo(), *options.flags.delay);
    }
    connection session(database.conninfo());
    require_schema(session);
    transaction work(session);
    if (unique) {
        const auto job = publish_unique(work, outgoing, *unique);
        work.commit();
        show(shared, job, *unique);
        return;
    }
    const auto id = publish(work, outgoing);
    work.commit();
    if (shared.json) {
        fmt::print("{}\n", json_object().add("id", id).text());
    } else {
        fmt::print("{}\n", id);
    }
}

void publish_file(const context& shared, const publish_options& options) {
    lines_request asked{.file = options.many,
                        .defaults = options.flags.envelope(),
                        .commit_batches = options.batch_commit,
                        .json = shared.json};
    const open_database database(shared);
    asked.database = database.conninfo();
    if (options.flags.delay) {
        delay_until(asked.defaults, asked.database, *options.flags.delay);
    }
    const auto count = publish_lines(asked);
    if (shared.json) {
        fmt::print("{}\n", json_object().add("count", count).text());
    } else {
        fmt::print("{}\n", count);
    }
}

void publish_file_as_set(const context& shared, const publish_options& options) {
    const auto members = read_lines(options.many, options.flags.envelope());
    const job_set set{.name = options.set,
                      .completed = message_from_line(options.then, {}),
                      .dead = options.dead_blocks ? dead_member::blocks : dead_member::ends};
    const open_database database(shared);
    connection session(database.conninfo());
    require_schema(session);
    transaction work(session);
    const auto ids = publish_set(work, set, members);
    work.commit();
    if (shared.json) {
        json_array all;
        for (const auto& id : ids) {
            all.add(id);
        }
        fmt::print("{}\n", json_object().add("set", set.name).add_raw("ids", all.text()).text());
    } else {
        fmt::print("{}\n", ids.size());
    }
}

void check(const publish_options& options) {
    const int payloads = (options.payload ? 1 : 0) + (options.payload_file.empty() ? 0 : 1) +
                         (options.from_stdin.empty() ? 0 : 1);
    if (!options.from_stdin.empty() && options.from_stdin != "-") {
        throw usage_error(
            "'" + options.from_stdin +
            "' is an unexpected argument; use --payload, --payload-file or - for the payload");
    }
    if (payloads > 1 || (payloads == 1 && !options.many.empty())) {
        throw usage_error("give the payload once: --payload, --payload-file, - or --many");
    }
    if (!options.many.empty() && !options.flags.id.empty()) {
        throw usage_error("--id is for one message; with --many give an id in every line");
    }
    if (!options.many.empty() && options.flags.unique()) {
        throw usage_error("--unique-key is for one message; publish unique jobs one by one");
    }
    if (options.batch_commit && options.many.empty()) {
        throw usage_error("--batch-commit requires --many");
    }
    if (options.set.empty() != options.then.empty() ||
        (options.dead_blocks && options.set.empty())) {
        throw usage_error("--set and --then belong together, and --dead-blocks to both");
    }
    if (!options.set.empty() &&
        (options.many.empty() || options.batch_commit || options.flags.delay)) {
        throw usage_error("--set needs --many, and is for neither --batch-commit nor --delay");
    }
}

void run(const context& shared, const publish_options& options) {
    check(options);
    if (options.flags.delay) {
        parse_duration(*options.flags.delay, "--delay");
    }
    if (!options.set.empty()) {
        publish_file_as_set(shared, options);
    } else if (!options.many.empty()) {
        publish_file(shared, options);
    } else if (options.flags.event_type.empty()) {
        throw usage_error("event type is missing, for example `postrider publish user.created`");
    } else {
        publish_one(shared, options);
    }
}

constexpr const char* publish_footer =
    "Prints the id. A unique job whose key another job holds is not published: its id is printed,\n"
    "with a note on standard error (\"duplicate\": true with --json).\n\n"
    "With --many every line of the file is a JSON object with the fields of a message\n"
    "(event_type, payload, source, ...); the options are defaults for missing fields.\nEither all "
    "lines are published, or none and the error names the line. Prints the "
    "number.\n\n"
    "Examples:\n"
    "  postrider publish user.created --source accounts --payload '{\"user_id\": 42}'\n"
    "  jq -n '{user_id: 42}' | postrider publish user.created -\n"
    "  postrider publish mail.requested --delay 5m --header language=de --json\n"
    "  postrider publish search.reindex --target search --unique-key page:42 --unique serial\n"
    "  postrider publish --many events.jsonl --source import\n"
    "  zcat events.jsonl.gz | postrider publish --many - --batch-commit\n"
    "  postrider publish --many rows.jsonl --target import --set import:42 --then "
    "'{\"event_type\": \"import.done\"}'";

}  // namespace

void add_publish(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("publish", "Publish a message, or a file of messages");
    command->footer(publish_footer);
    const auto options = std::make_shared<publish_options>();
    command->add_option("EVENT_TYPE", options->flags.event_type,
                        "event type, for example user.created");
    command->add_option("STDIN", options->from_stdin, "-: read the payload from standard input")
        ->type_name("-");
    command->add_option("--payload", options->payload, "JSON (default: {})");
    command->add_option("--payload-file", options->payload_file,
                        "file with the payload, - for standard input");
    command->add_option("--many", options->many,
                        "file with one message per line, - for standard input");
    command->add_flag("--batch-commit", options->batch_commit,
                      "with --many: commit after every few thousand lines");
    command->add_option("--set", options->set,
                        "with --many: name of the set that the messages are members of");
    command->add_option("--then", options->then,
                        "with --set: message that is published when all members have ended, a "
                        "JSON object");
    command->add_flag("--dead-blocks", options->dead_blocks,
                      "with --set: a dead member has not ended");
    options->flags.add_to(*command);
    command->callback([&shared, options] { run(shared, *options); });
}

}  // namespace postrider::cli
