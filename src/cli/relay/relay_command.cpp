#include "cli/relay/relay_command.hpp"

#include "cli/work/ordering_option.hpp"

namespace postrider::cli {
namespace {

constexpr const char* relay_footer =
    "A message is delivered when the broker has acknowledged it. While the broker is unavailable "
    "no\nattempt is spent: the handler's circuit opens, and one message at a time is tried.\n\n"
    "The address and its --destination:\n"
    "  nats://host:4222, tls://host:4222   subject of a JetStream stream\n"
    "  redis://host:6379/0                 stream\n"
    "  kafka://host:9092,host:9092         topic; properties of librdkafka may follow as a query\n"
    "  https://host/path, http://host      none: fields stand in the path or query of the URL\n"
    "  pgmq:                               queue in the same database\n"
    "Fields: {id} {event_type} {event_version} {source} {target} {workspace_id} {ordering_key}\n"
    "{partition_key} {content_class} {generation}. A message without a value for one of them is a "
    "dead\nletter of the class relay_unroutable, a payload above --max-bytes of "
    "relay_too_large.\n\n"
    "Secrets are not options, because every user of the machine could read them:\n"
    "  POSTRIDER_RELAY_TO, or relay_to in the configuration file: address with credentials\n"
    "  POSTRIDER_WEBHOOK_SECRETS, or --webhook-secrets FILE: signing keys, whsec_ and base64; a "
    "request\n  is signed with all of them\n\n"
    "Examples:\n"
    "  postrider relay --consumer out --on 'order.*' --to nats://127.0.0.1:4222 \\\n"
    "      --destination 'orders.{event_type}'\n"
    "  postrider relay --consumer hooks --on '*' --webhook-secrets /etc/postrider/webhook \\\n"
    "      --to 'https://example.com/hooks/{event_type}'\n"
    "  POSTRIDER_RELAY_TO=redis://:secret@cache/0 postrider relay --consumer cache --on '*' \\\n"
    "      --destination '{source}' --keep-for 7d";

}  // namespace

void relay_command::add_to(CLI::App& command) {
    command.footer(relay_footer);
    add_consuming(command);
    add_publishing(command);
    add_failing(command);
    alerts.add_to(command);
}

void relay_command::check() const {
    if (consumer.empty()) {
        throw CLI::RequiredError("--consumer");
    }
    if (event_types.empty()) {
        throw CLI::RequiredError("--on");
    }
}

void relay_command::add_consuming(CLI::App& command) {
    command.add_option("--consumer", consumer, "name of the consumer (required)");
    command
        .add_option("--on", event_types,
                    "event types: user.created, 'user.*' or '*'; repeatable (required)")
        ->allow_extra_args(false);
    command.add_option("--handler", handler, "name of the handler (default: <consumer>.relay)");
    command.add_option("--concurrency", concurrency, "maximum number of concurrent batches")
        ->capture_default_str();
    auto* number = command
                       .add_option("--generation", generation,
                                   "deployment generation to work for: channel outbox_gen_<N>")
                       ->check(CLI::NonNegativeNumber);
    command.add_option("--channel", channel, "channel to work on (default: outbox_default)")
        ->excludes(number);
    command.add_option("--deployment", deployment,
                       "refuse a database of another deployment (default: POSTRIDER_DEPLOYMENT, "
                       "then the configuration file)");
    command.add_option("--ordering", ordering, ordering_help);
    command.add_flag("--from-beginning", from_beginning,
                     "start a new consumer at the oldest message in the log");
    command.add_flag("--once", once, "stop when no message is left; does not wait for retries");
    command
        .add_option("--heartbeat-timeout", heartbeat_timeout,
                    "time without a heartbeat after which other workers take its messages")
        ->capture_default_str();
}

void relay_command::add_publishing(CLI::App& command) {
    command.add_option("--to", to, "address of the broker or webhook, without credentials");
    command.add_option("--destination", destination,
                       "subject, stream, topic or queue, with fields: 'orders.{event_type}'");
    command.add_option("--batch", batch, "maximum number of messages sent before waiting")
        ->capture_default_str()
        ->check(CLI::Range(1, 10'000));
    command.add_option("--timeout", timeout, "maximum wait for an acknowledgement")
        ->capture_default_str();
    command.add_option("--max-bytes", max_bytes, "maximum size of a payload")
        ->capture_default_str();
    command.add_option("--nats-credentials", nats_credentials,
                       "NATS: file with user credentials (JWT and nkey seed)");
    command
        .add_option("--dedupe-for", dedupe_for,
                    "Redis: time for which a repeated message is recognised")
        ->capture_default_str();
    command
        .add_option("--keep-for", keep_for,
                    "Redis: age at which entries are trimmed from the stream; 0s keeps all")
        ->capture_default_str();
    command.add_option("--webhook-secrets", webhook_secrets,
                       "file with the signing keys of webhooks, one per line");
    command.add_flag("--allow-private-addresses", allow_private_addresses,
                     "send webhooks to loopback, private and link-local addresses, too");
}

void relay_command::add_failing(CLI::App& command) {
    command
        .add_option("--retry", retry,
                    "retry policy: curve, base and cap, as in `postrider work --help`")
        ->capture_default_str();
    command.add_option("--max-attempts", max_attempts,
                       "maximum number of attempts before a message is a dead letter (default: the "
                       "database's setting, 5)");
    command.add_option("--max-age", max_age, "maximum age of a message for another attempt");
    command
        .add_option("--terminal-class", terminal_classes,
                    "error class that is not retried: http:501; repeatable")
        ->allow_extra_args(false);
    command
        .add_option("--transient-class", transient_classes,
                    "error class that is retried although it is terminal by default: http:404; "
                    "repeatable")
        ->allow_extra_args(false);
    command
        .add_option("--probe-after", probe_after,
                    "time after which an unavailable broker is tried again; doubles up to 1m")
        ->capture_default_str();
}

}  // namespace postrider::cli
