#include <CLI/CLI.hpp>
#include <csignal>
#include <memory>
#include <postrider/error.hpp>

#include "cli/database.hpp"
#include "cli/output/times.hpp"
#include "cli/relay/relay_command.hpp"
#include "cli/relay/relay_secrets.hpp"
#include "cli/relay/verify.hpp"
#include "cli/report_error.hpp"
#include "cli/work/alert_options.hpp"
#include "cli/work/check_database.hpp"
#include "cli/work/ordering_option.hpp"
#include "cli/work/retry_option.hpp"
#include "cli/work/stop_watch.hpp"
#include "cli/work/work_log.hpp"
#ifdef POSTRIDER_WITH_RELAY
#include <postrider/relay.hpp>
#endif

namespace postrider::cli {
namespace {

#ifdef POSTRIDER_WITH_RELAY

handler_options handler_settings(const relay_command& options) {
    handler_options made;
    made.retry = parse_retry(options.retry);
    made.max_attempts = options.max_attempts;
    made.terminal_classes = options.terminal_classes;
    made.transient_classes = options.transient_classes;
    made.circuit.open = parse_duration(options.probe_after, "--probe-after");
    made.batch_max = options.batch;
    if (!options.max_age.empty()) {
        made.retry.max_age = parse_duration(options.max_age, "--max-age");
    }
    return made;
}

worker_options worker_settings(const relay_command& options) {
    worker_options made;
    made.consumer = options.consumer;
    made.concurrency = options.concurrency;
    made.generation = options.generation;
    made.channel = options.channel;
    made.ordering = parse_ordering(options.ordering);
    made.from_beginning = options.from_beginning;
    made.until_idle = options.once;
    made.heartbeat_timeout = parse_duration(options.heartbeat_timeout, "--heartbeat-timeout");
    made.alerts = !options.alerts.without;
    made.alert_targets = options.alerts.targets();
    return made;
}

relay_options relay_settings(const context& shared, const relay_command& options) {
    relay_options made;
    made.to = choose_relay(shared, options.to);
    made.destination = options.destination;
    made.timeout = parse_duration(options.timeout, "--timeout");
    made.bytes_max = options.max_bytes;
    made.credentials_file = options.nats_credentials;
    made.dedupe_for = parse_duration(options.dedupe_for, "--dedupe-for");
    made.keep_for = parse_duration(options.keep_for, "--keep-for");
    made.signing_secrets = webhook_secrets(options.webhook_secrets);
    made.allow_private_addresses = options.allow_private_addresses;
    return made;
}

void run_relay(context& shared, const relay_command& options) {
    const auto how = handler_settings(options);
    const auto to = relay_settings(shared, options);
    auto settings = worker_settings(options);
    const stop_signal stop;  // before any thread
    std::signal(SIGPIPE, SIG_IGN);
    const auto log =
        std::make_shared<work_log>(shared.json, options.once, [] { ::kill(::getpid(), SIGTERM); });
    const open_database database(shared, open_database::lifetime::command, &stop);
    settings.deployment = choose_deployment(shared, options.deployment);
    check_database(database, settings.deployment, options.once);
    settings.database = database.conninfo();
    settings.sink = options.alerts.with_metrics(log);
    worker consuming(std::move(settings));
    event_types types{};
    types.patterns = options.event_types;
    relay(consuming, std::move(types),
          options.handler.empty() ? options.consumer + ".relay" : options.handler, to, how);
    {
        const stop_watch watching(stop, consuming);
        consuming.start();
        consuming.wait();
    }
    log->summary();
    if (log->output_lost()) {
        shared.exit_code = output_lost_exit;
    } else if (log->refused()) {
        shared.exit_code = describe(errc::database_error).exit_code;
    }
}

#else

void run_relay(context&, const relay_command&) {
    throw usage_error("relay requires a build with POSTRIDER_BUILD_RELAY=ON");
}

#endif

}  // namespace

void add_relay(CLI::App& app, context& shared) {
    auto* command =
        app.add_subcommand("relay", "Publish the messages of a consumer to a broker or a webhook");
    const auto options = std::make_shared<relay_command>();
    options->add_to(*command);
    add_relay_verify(*command, shared);
    command->callback([&shared, options, command] {
        if (command->get_subcommands().empty()) {
            options->check();
            run_relay(shared, *options);
        }
    });
}

}  // namespace postrider::cli
