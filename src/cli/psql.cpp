#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <postrider/error.hpp>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "pg/conninfo.hpp"

namespace postrider::cli {
namespace {

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "waitpid");
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

volatile pid_t running_child = 0;

// Ends psql, and then this program normally, so that a private server is stopped.
void pass_on(int signal) { ::kill(running_child, signal); }

// A child process instead of exec: a server started for this command must be stopped afterwards.
int run_psql(const std::vector<std::string>& arguments) {
    std::vector<char*> pointers{const_cast<char*>("psql")};
    pointers.reserve(arguments.size() + 2);
    for (const auto& argument : arguments) {
        pointers.push_back(const_cast<char*>(argument.c_str()));
    }
    pointers.push_back(nullptr);
    // Ctrl-C cancels a query in psql and must not end this program.
    std::signal(SIGINT, SIG_IGN);
    const pid_t child = ::fork();
    if (child < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (child == 0) {
        std::signal(SIGINT, SIG_DFL);
        ::execvp("psql", pointers.data());
        ::_exit(127);
    }
    running_child = child;
    for (const int signal : {SIGTERM, SIGHUP}) {
        if (std::signal(signal, pass_on) == SIG_IGN) {
            std::signal(signal, SIG_IGN);  // set by nohup(1)
        }
    }
    const int status = wait_for(child);
    if (status == 127) {
        throw error(errc::server_binaries_missing,
                    "psql was not found: run `apt-get install postgresql-client`");
    }
    return status;
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
        // In the environment, because every user can read the arguments of a process.
        for (const auto& [name, value] : pg::as_environment(database.conninfo())) {
            ::setenv(name.c_str(), value.c_str(), 1);
        }
        shared.exit_code = run_psql(command->remaining());
    });
}

}  // namespace postrider::cli
