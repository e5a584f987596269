#include "cli/publish/message_flags.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "cli/output/times.hpp"

namespace postrider::cli {
namespace {

std::optional<std::string> headers_json(const std::vector<std::string>& pairs) {
    if (pairs.empty()) {
        return std::nullopt;
    }
    json_object all;
    for (const auto& pair : pairs) {
        const auto equals = pair.find('=');
        if (equals == 0 || equals == std::string::npos) {
            throw usage_error("--header: '" + pair + "' is not NAME=VALUE");
        }
        all.add(pair.substr(0, equals), pair.substr(equals + 1));
    }
    return all.text();
}

// A command run by a handler continues the trace of its message.
std::optional<std::string> surrounding_trace() {
    const char* value = std::getenv("TRACEPARENT");
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

void message_flags::add_lasting_to(CLI::App& command) {
    command.add_option("--source", source, "name of the publishing application");
    command.add_option("--target", target,
                       "the only consumer that receives it (default: every consumer)");
    auto* log =
        command.add_option("--channel", channel, "channel to publish to (default: outbox_default)");
    command
        .add_option("--generation", generation,
                    "deployment generation that handles it: channel outbox_gen_<N>")
        ->check(CLI::NonNegativeNumber)
        ->excludes(log);
    command.add_option("--event-version", event_version,
                       "version of the payload's schema (default: 1)");
    command.add_option("--workspace", workspace, "UUID of the workspace");
    command.add_option("--ordering-key", ordering_key,
                       "key whose messages ordered consumers handle in order");
    command.add_option("--partition-key", partition_key, "passed to consumers unchanged");
    command.add_option("--header", headers, "header of the message; repeatable")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command.add_option("--metadata", metadata, "JSON object for the producer's own use");
    command.add_option("--content-class", content_class,
                       "content class, used by retention policies");
    command.add_option("--priority", priority,
                       "-100 to 100; messages with a higher number run first");
    command.add_option("--max-attempts", max_attempts,
                       "maximum number of attempts (default: the handler's)");
}

void message_flags::add_to(CLI::App& command) {
    add_lasting_to(command);
    command.add_option("--id", id, "UUID of the message (default: generated)");
    command.add_option("--occurred-at", occurred_at, "ISO 8601 with time zone (default: now)");
    command.add_option("--idempotency-key", idempotency_key,
                       "key by which consumers detect duplicates (default: the id)");
    command.add_option("--trace-context", trace_context,
                       "W3C traceparent (default: environment variable TRACEPARENT)");
    command.add_option("--available-at", available_at,
                       "earliest time of the first attempt, ISO 8601 with time zone");
    command.add_option("--delay", delay, "delay before the first attempt: 30s, 5m, 1h30m");
    command.add_option("--unique-key", unique_key,
                       "key that one job of the target holds at a time; a duplicate is not "
                       "published");
    command
        .add_option("--unique", unique_scope,
                    "how long the job holds the key: until-started, until-finished (default) or "
                    "serial, which allows one running and one waiting job")
        ->type_name("SCOPE");
    command.add_option("--unique-for", unique_for,
                       "hold the key for this time instead: 30s, 5m, 1h");
}

std::optional<postrider::unique_key> message_flags::unique() const {
    if (!unique_key) {
        if (unique_scope || unique_for) {
            throw usage_error("--unique and --unique-for require --unique-key");
        }
        return std::nullopt;
    }
    if (unique_scope && unique_for) {
        throw usage_error("give --unique or --unique-for, not both");
    }
    if (unique_for) {
        return postrider::unique_key{.key = *unique_key,
                                     .scope = postrider::unique_scope::period,
                                     .period = parse_duration(*unique_for, "--unique-for")};
    }
    const auto scope = unique_scope.value_or("until-finished");
    if (scope == "until-started") {
        return postrider::unique_key{*unique_key, postrider::unique_scope::until_started};
    }
    if (scope == "until-finished") {
        return postrider::unique_key{*unique_key, postrider::unique_scope::until_finished};
    }
    if (scope == "serial") {
        return postrider::unique_key{*unique_key, postrider::unique_scope::serial};
    }
    throw usage_error("--unique must be until-started, until-finished or serial, got '" + scope +
                      "'");
}

message message_flags::envelope() const {
    if (available_at && delay) {
        throw usage_error("give --available-at or --delay, not both");
    }
    message made;
    made.event_type = event_type;
    made.source = source;
    made.target = target;
    made.channel = channel;
    made.generation = generation;
    made.id = id;
    made.event_version = event_version;
    if (occurred_at) {
        made.occurred_at = parse_instant(*occurred_at, "--occurred-at");
    }
    made.workspace_id = workspace;
    made.idempotency_key = idempotency_key;
    made.ordering_key = ordering_key;
    made.partition_key = partition_key;
    made.headers = headers_json(headers);
    made.metadata = metadata;
    made.trace_context = trace_context ? trace_context : surrounding_trace();
    made.content_class = content_class;
    if (available_at) {
        made.available_at = parse_instant(*available_at, "--available-at");
    }
    made.priority = priority;
    made.max_attempts = max_attempts;
    return made;
}

}  // namespace postrider::cli
