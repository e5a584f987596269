#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <postrider/error.hpp>
#include <postrider/worker.hpp>
#include <utility>

#include "cli/database.hpp"
#include "cli/output/times.hpp"
#include "cli/report_error.hpp"
#include "cli/work/check_database.hpp"
#include "cli/work/exec/command_handler.hpp"
#include "cli/work/ordering_option.hpp"
#include "cli/work/retry_option.hpp"
#include "cli/work/stop_watch.hpp"
#include "cli/work/work_log.hpp"
#include "cli/work/work_options.hpp"

namespace postrider::cli {
namespace {

using namespace std::chrono_literals;

constexpr int default_concurrency = 4;

// Resolves the program like execvp(3), before the first message.
std::string path_of(const std::string& program) {
    if (program.find('/') != std::string::npos) {
        if (::access(program.c_str(), X_OK) != 0) {
            throw usage_error("cannot run " + program + ": not found or not executable");
        }
        return program;
    }
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(':'), rest.size());
        const auto candidate = std::filesystem::path(rest.substr(0, end)) / program;
        if (::access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) {
            return candidate.string();
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    throw usage_error("cannot run " + program + ": not found in PATH");
}

std::vector<std::string> command_of(const work_options& options) {
    if (options.shell_command.empty() == options.program.empty()) {
        throw usage_error(
            "work needs one command: --exec 'command', --stay 'command', or -- program "
            "argument...");
    }
    if (!options.shell_command.empty()) {
        return {"/bin/sh", "-c", options.shell_command};
    }
    auto arguments = options.program;
    arguments.front() = path_of(arguments.front());
    return arguments;
}

// Only one of the three forms of a command, and only options of that form.
void check_stay(const work_options& options) {
    if (!options.shell_command.empty() || !options.program.empty()) {
        throw usage_error("work needs one command: --stay excludes --exec and -- program");
    }
    if (options.concurrency) {
        throw usage_error("--concurrency is for --exec; with --stay use --children");
    }
    options.stay.check();
}

handler_options handler_settings(const work_options& options, std::chrono::milliseconds timeout) {
    handler_options made;
    made.retry = parse_retry(options.retry);
    made.max_attempts = options.max_attempts;
    if (!options.max_age.empty()) {
        made.retry.max_age = parse_duration(options.max_age, "--max-age");
    }
    made.terminal_classes = options.terminal_classes;
    made.transient_classes = options.transient_classes;
    // This program ends the command at its timeout, so the call timeout of the worker must be
    // longer.
    made.timeout = options.stay.chosen()
                       ? std::max<std::chrono::milliseconds>(stay_run_max, timeout * 2)
                       : timeout + command_grace + 1s;
    made.batch_max = 0;
    return made;
}

worker_options worker_settings(const work_options& options) {
    worker_options made;
    made.consumer = options.consumer;
    made.concurrency = options.concurrency.value_or(default_concurrency);
    made.generation = options.generation;
    made.channel = options.channel;
    made.from_beginning = options.from_beginning;
    made.ordering = parse_ordering(options.ordering);
    made.until_idle = options.once;
    made.shutdown_timeout = parse_duration(options.shutdown_timeout, "--shutdown-timeout");
    made.heartbeat_timeout = parse_duration(options.heartbeat_timeout, "--heartbeat-timeout");
    made.alerts = !options.alerts.without;
    made.alert_targets = options.alerts.targets();
    return made;
}

/// The processes of a worker: commands, or children that stay.
struct worked_by {
    std::shared_ptr<running_commands> commands = std::make_shared<running_commands>();
    std::shared_ptr<child_host> children = {};  ///< null: a command for every message
};

// Commands run as our user and could read database credentials in /proc/<pid>/environ or in our
// memory. The price is that a crash leaves no core file.
void hide_environment() { ::prctl(PR_SET_DUMPABLE, 0); }

std::string handler_name(const work_options& options) {
    return options.handler.empty() ? options.consumer + ".exec" : options.handler;
}

command_handler command_handler_of(const work_options& options, std::chrono::milliseconds timeout,
                                   const worked_by& by) {
    return command_handler({.arguments = command_of(options),
                            .timeout = timeout,
                            .quiet = options.quiet,
                            .pass_database = options.pass_database},
                           by.commands);
}

// Starts the children. False when a signal came first.
bool start_children(const work_options& options, std::chrono::milliseconds timeout,
                    const stop_signal& stop, const std::shared_ptr<work_log>& log,
                    worker_options& settings, worked_by& by) {
    stay_work work{.consumer = options.consumer,
                   .handler = handler_name(options),
                   .timeout = timeout,
                   .pass_database = options.pass_database,
                   .reports = settings.sink};
    if (!options.quiet) {
        work.stderr_line = [log](int child, std::string_view line) {
            log->child_said(child, line);
        };
    }
    by.children = make_child_host(options.stay, std::move(work), by.commands);
    const auto hello = by.children->start(stop.descriptor());
    settings.concurrency = hello ? threads_for(options.stay, *hello) : 1;
    return hello.has_value();
}

void work_until_stopped(worker& consuming, const stop_signal& stop, const worked_by& by) {
    const stop_watch watching(stop, consuming, [&by](bool again) {
        if (by.children) {
            by.children->begin_stop();
        }
        if (again) {
            by.commands->kill_all();
        }
    });
    consuming.start();
    consuming.wait();
    if (by.children) {
        by.children->close();
    }
    // Commands that exceeded the grace period have received SIGTERM.
    if (!by.commands->wait_for_none(command_grace + 1s)) {
        by.commands->kill_all();
        by.commands->wait_for_none(1s);
    }
}

}  // namespace

void run_work(context& shared, const work_options& options) {
    const auto timeout = parse_duration(options.timeout, "--timeout");
    if (timeout <= 0ms) {
        throw usage_error("--timeout must be greater than 0");
    }
    const auto how = handler_settings(options, timeout);
    auto settings = worker_settings(options);
    worked_by by;
    std::optional<command_handler> handle;
    if (options.stay.chosen()) {
        check_stay(options);
    } else {
        handle = command_handler_of(options, timeout, by);
    }
    // Before any thread. A command that does not read its input must not end the worker.
    const stop_signal stop;
    std::signal(SIGPIPE, SIG_IGN);
    const auto log =
        std::make_shared<work_log>(shared.json, options.once, [] { ::kill(::getpid(), SIGTERM); });
    const open_database database(shared, open_database::lifetime::command, &stop);
    settings.deployment = choose_deployment(shared, options.deployment);
    check_database(database, settings.deployment, options.once);
    settings.database = database.conninfo();
    settings.source = options.source.make(options.consumer, settings.database);
    settings.sink = options.alerts.with_metrics(log);
    if (!options.pass_database) {
        hide_environment();
    }
    if (options.stay.chosen() && !start_children(options, timeout, stop, log, settings, by)) {
        return;
    }
    worker consuming(std::move(settings));
    event_types types{};
    types.patterns = options.event_types;
    if (by.children) {
        consuming.on(
            std::move(types), handler_name(options),
            [host = by.children](std::span<const event> events, postrider::context& run) {
                return host->handle(events, run);
            },
            how);
    } else {
        consuming.on(std::move(types), handler_name(options), *handle, how);
    }
    work_until_stopped(consuming, stop, by);
    log->summary();
    if (log->output_lost()) {
        shared.exit_code = output_lost_exit;
    } else if (log->refused()) {
        shared.exit_code = describe(errc::database_error).exit_code;
    }
}

}  // namespace postrider::cli
