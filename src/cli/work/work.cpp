#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/work/ordering_option.hpp"
#include "cli/work/work_options.hpp"

namespace postrider::cli {
namespace {

constexpr const char* work_footer =
    "The command receives the payload on stdin and the envelope in its environment:\n"
    "  POSTRIDER_MESSAGE_ID, POSTRIDER_EVENT_TYPE, POSTRIDER_EVENT_VERSION, POSTRIDER_SOURCE,\n"
    "  POSTRIDER_TARGET, POSTRIDER_OCCURRED_AT, POSTRIDER_WORKSPACE_ID, "
    "POSTRIDER_IDEMPOTENCY_KEY,\n"
    "  POSTRIDER_ORDERING_KEY, POSTRIDER_PARTITION_KEY, POSTRIDER_CONTENT_CLASS,\n"
    "  POSTRIDER_GENERATION, POSTRIDER_HEADERS (JSON), POSTRIDER_TRACE_CONTEXT (as published),\n"
    "  TRACEPARENT (of this run), POSTRIDER_HANDLER, POSTRIDER_ATTEMPTS (this one included),\n"
    "  POSTRIDER_CYCLE, POSTRIDER_RUN_KEY (different for every run)\n"
    "A field that the message does not have is not set. The rest of the environment is inherited,\n"
    "except for the variables of alert targets and, without --pass-database, those of the "
    "database:\n"
    "POSTRIDER_DATABASE_URL and libpq's (PGHOST, PGPASSWORD, PGPASSFILE, PGSERVICEFILE ...).\n"
    "The command's output goes to the worker's stderr; if stderr was closed, a command that "
    "prints\nends with SIGPIPE, which is a failure. --quiet discards the output.\n\n"
    "The exit code is the outcome:\n"
    "  exit 0     delivered\n"
    "  exit 65    terminal (EX_DATAERR): becomes a dead letter immediately\n"
    "  exit 75    transient (EX_TEMPFAIL): retried by --retry, up to --max-attempts\n"
    "  any other  transient, likewise\n"
    "--retry is exponential, quadratic, linear, fixed or immediate, with an optional base and "
    "cap\n(fixed:5s, exponential:1s:5m), or a list (list:1s,10s,1m).\n"
    "The last part of its stderr is last_error; the error class is exit:<code>, signal:<number> or "
    "timeout.\n"
    "After --timeout the command and its process group get SIGTERM, five seconds later SIGKILL.\n\n"
    "Dead letters and opening circuits raise alerts. Exactly one worker reports each alert, in its "
    "log,\nin --metrics, and to the targets in these variables (secrets, therefore not options):\n"
    "  POSTRIDER_ALERT_WEBHOOK, POSTRIDER_ALERT_WEBHOOK_TOKEN: URL that accepts JSON; bearer "
    "token\n"
    "  SENTRY_DSN, SENTRY_ENVIRONMENT, SENTRY_RELEASE\n\n"
    "With --stay the command is started --children times and stays. Messages and outcomes are "
    "JSON\n"
    "lines on its stdin and stdout (docs/reference/child-protocol.md); clients/python and "
    "clients/node\nspeak them. Its stderr goes to the log. It is started again when it ends: the "
    "message that was\nrunning is charged, waiting ones are not. --timeout is per message.\n\n"
    "SIGTERM, SIGHUP or Ctrl-C: no new commands start, running ones may finish within\n"
    "--shutdown-timeout, and the remaining messages are released. A second signal kills all "
    "commands.\n\n"
    "Examples:\n"
    "  postrider work --consumer billing --on 'user.*' --exec 'jq .user_id >> users.txt'\n"
    "  postrider work --consumer mail --on mail.requested --concurrency 8 --timeout 30s \\\n"
    "      --retry exponential:2s:10m -- /usr/local/bin/send-mail --from shop@example.com\n"
    "  postrider work --consumer shop --on 'order.*' --stay 'python3 handler.py' --children 4\n"
    "  postrider work --consumer audit --on '*' --from-beginning --once --exec 'cat >> "
    "audit.jsonl'";

}  // namespace

void add_work(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("work", "Run a command for every message of a consumer");
    command->footer(work_footer);
    const auto options = std::make_shared<work_options>();
    command->add_option("--consumer", options->consumer, "name of the consumer")->required();
    command
        ->add_option("--on", options->event_types,
                     "event types: user.created, 'user.*' or '*'; repeatable")
        ->required()
        ->allow_extra_args(false);
    command->add_option("--exec", options->shell_command, "command line, run by /bin/sh");
    command->add_option("PROGRAM", options->program,
                        "after --: program and arguments, run without a shell");
    command->add_option("--handler", options->handler,
                        "name of the handler (default: <consumer>.exec)");
    options->stay.add_to(*command);
    command->add_option("--concurrency", options->concurrency,
                        "maximum number of concurrent commands (default: 4)");
    command
        ->add_option("--timeout", options->timeout,
                     "maximum run time of one command, with --stay of one message")
        ->capture_default_str();
    command->add_option("--retry", options->retry, "retry policy: curve, base and cap, see below")
        ->capture_default_str();
    command->add_option("--max-attempts", options->max_attempts,
                        "maximum number of attempts before a message is a dead letter (default: "
                        "the database's setting, 5)");
    command->add_option("--max-age", options->max_age,
                        "maximum age of a message for another attempt");
    command
        ->add_option("--terminal-class", options->terminal_classes,
                     "error class that is not retried: exit:2, 'exit:6*'; repeatable")
        ->allow_extra_args(false);
    command
        ->add_option(
            "--transient-class", options->transient_classes,
            "error class that is retried although it is terminal by default: exit:65; repeatable")
        ->allow_extra_args(false);
    auto* generation = command
                           ->add_option("--generation", options->generation,
                                        "deployment generation to work for: channel outbox_gen_<N>")
                           ->check(CLI::NonNegativeNumber);
    command
        ->add_option("--channel", options->channel, "channel to work on (default: outbox_default)")
        ->excludes(generation);
    options->source.add_to(*command);
    command->add_option("--deployment", options->deployment,
                        "refuse a database of another deployment (default: "
                        "POSTRIDER_DEPLOYMENT, then the configuration file)");
    command->add_option("--ordering", options->ordering, ordering_help);
    command->add_flag("--from-beginning", options->from_beginning,
                      "start a new consumer at the oldest message in the log");
    command->add_flag("--once", options->once,
                      "stop when no message is left; does not wait for retries");
    command
        ->add_option("--shutdown-timeout", options->shutdown_timeout,
                     "time for running commands to finish on shutdown")
        ->capture_default_str();
    command
        ->add_option("--heartbeat-timeout", options->heartbeat_timeout,
                     "time without a heartbeat after which other workers take its messages")
        ->capture_default_str();
    command->add_flag("--quiet", options->quiet, "discard the output of commands");
    command->add_flag("--pass-database", options->pass_database,
                      "pass the worker's database variables, with passwords, to commands");
    options->alerts.add_to(*command);
    command->callback([&shared, options] { run_work(shared, *options); });
}

}  // namespace postrider::cli
