// From a cluster on the disk to a running server.
#include <chrono>
#include <fstream>
#include <postrider/error.hpp>
#include <thread>

#include "embedded/postmaster.hpp"
#include "embedded/server.hpp"
#include "embedded/wait_limits.hpp"

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

using namespace std::chrono_literals;

constexpr auto orphan_timeout = 30s;  // backends of a killed postmaster notice it soon

// The error of a start while processes of the last server still use its shared memory.
bool is_orphan_complaint(const std::string& log) {
    return log.find("pre-existing shared memory block") != std::string::npos ||
           log.find("already exists") != std::string::npos;
}

void limit_size(const fs::path& log) {
    constexpr std::uintmax_t largest = 10U << 20U;
    std::error_code problem;
    if (fs::file_size(log, problem) > largest && !problem) {
        fs::rename(log, log.string() + ".1", problem);
    }
}

// pg_ctl hands the options to a shell.
std::string quoted_for_shell(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

std::string news_in(const fs::path& log, std::uintmax_t logged_before) {
    std::ifstream file(log);
    file.seekg(static_cast<std::streamoff>(logged_before));
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

void server::clear_stale_files() const {
    // PostgreSQL assumes that any live process with the recorded id is its server, for example
    // after a container was restarted. If it is certainly another program, and no process owns the
    // server, the files are stale.
    if (!names_a_stranger(where_.cluster) || !file_lock::try_take(where_.owner_lock).held()) {
        return;
    }
    std::error_code ignored;
    fs::remove(where_.cluster / "postmaster.pid", ignored);
    fs::remove(where_.sockets / ".s.PGSQL.5432.lock", ignored);
}

std::vector<std::string> server::start_command() const {
    // Settings on the command line override every file: a damaged, empty or edited file must not
    // open the server to the network.
    const auto reachable = "-c listen_addresses= -c port=5432 -c unix_socket_permissions=0700 -c " +
                           quoted_for_shell("unix_socket_directories=" + where_.sockets.string());
    // Relative to its working directory, because a shell would interpret special characters of a
    // path.
    return program("pg_ctl", {"start", "--pgdata", fs::path("..") / where_.cluster.filename(),
                              "--log", where_.log.filename(), "--options", reachable, "--wait",
                              "--timeout", std::to_string(server_timeout.count()), "--silent"});
}

// pg_ctl forwards a SIGINT, unless it arrived before pg_ctl had recorded the new process.
void server::abandon_launch() {
    constexpr auto time_to_appear = 500ms;
    const auto deadline = std::chrono::steady_clock::now() + time_to_appear;
    while (!running() && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(pause);
    }
    shut_down();
}

void server::launch() {
    limit_size(where_.log);
    const auto command = start_command();
    const auto deadline = std::chrono::steady_clock::now() + orphan_timeout;
    while (true) {
        throw_if_stopped(options_.stop);
        std::error_code ignored;
        const auto logged_before = fs::exists(where_.log) ? fs::file_size(where_.log, ignored) : 0;
        clear_stale_files();
        const auto outcome = run_command(command, user_, where_.log.parent_path(), options_.stop);
        if (outcome.succeeded()) {
            return;
        }
        if (options_.stop && options_.stop()) {
            abandon_launch();
            throw interrupted();
        }
        if (running()) {
            fail("the server is still starting after " + std::to_string(server_timeout.count()) +
                     " s: try again later",
                 tail_of(where_.log));
        }
        if (!is_orphan_complaint(news_in(where_.log, logged_before)) ||
            std::chrono::steady_clock::now() > deadline) {
            fail("the server did not start", outcome.output + tail_of(where_.log));
        }
        std::this_thread::sleep_for(pause);
    }
}

}  // namespace postrider::embedded
