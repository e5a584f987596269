#include <CLI/CLI.hpp>
#include <csignal>
#include <optional>
#include <postrider/error.hpp>

#include "base/blocked_signals.hpp"
#include "base/child_process.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "pg/conninfo.hpp"

namespace postrider::cli {
namespace {

volatile pid_t running_child = 0;

// Ends psql, and then this program normally, so that a private server is stopped.
void pass_on(int signal) { ::kill(running_child, signal); }

// A child process instead of exec: a server started for this command must be stopped afterwards.
int run_psql(const spawn_options& options) {
    std::optional<blocked_signals> meanwhile(std::in_place);
    child_process psql(options);
    // Ctrl-C cancels a query in psql and must not end this program.
    std::signal(SIGINT, SIG_IGN);
    running_child = psql.id();
    for (const int signal : {SIGTERM, SIGHUP}) {
        if (std::signal(signal, pass_on) == SIG_IGN) {
            std::signal(signal, SIG_IGN);  // set by nohup(1)
        }
    }
    meanwhile.reset();
    return psql.wait();
}

}  // namespace

void add_psql(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("psql", "Open psql in the database");
    command->prefix_command();
    command->fallthrough(false);  // psql has options of the same names
    command->footer(
        "Arguments after psql are passed to psql; options of postrider come before it.\n\n"
        "Examples:\n"
        "  postrider psql\n"
        "  postrider psql -Atc 'select version from postrider.migration'");
    command->callback([&shared, command] {
        const open_database database(shared);
        auto arguments = command->remaining();
        arguments.insert(arguments.begin(), "psql");
        try {
            // In the environment, because every user can read the arguments of a process.
            shared.exit_code = run_psql(
                {.arguments = std::move(arguments),
                 .environment = environment_with(pg::as_environment(database.conninfo()))});
        } catch (const exec_error&) {
            throw error(errc::server_binaries_missing,
                        "psql was not found: run `apt-get install postgresql-client`");
        }
    });
}

}  // namespace postrider::cli
