#include "embedded/server.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <postrider/error.hpp>
#include <thread>

#include "embedded/files/safe_path.hpp"
#include "embedded/postmaster.hpp"
#include "embedded/wait_limits.hpp"
#include "pg/connection.hpp"
#include "pg/ping.hpp"

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

using namespace std::chrono_literals;

constexpr auto crowd_timeout = 5s;

// Compares the server's error text, which is English because its cluster has the locale C. libpq
// does not report the SQLSTATE (53300) of a failed connection.
bool is_crowded(const std::string& refusal) {
    return refusal.find("too many clients") != std::string::npos ||
           refusal.find("connection slots are reserved") != std::string::npos;
}

std::string quoted_conninfo_value(const std::string& value) {
    std::string quoted = "'";
    for (const char c : value) {
        if (c == '\'' || c == '\\') {
            quoted += '\\';
        }
        quoted += c;
    }
    return quoted + "'";
}

// Root writes to these paths, which must not lead elsewhere.
void require_safe_layout(const data_layout& where, const std::optional<system_user>& user) {
    require_safe_path(where.root);
    if (std::error_code ignored; fs::exists(fs::symlink_status(where.cluster, ignored))) {
        const open_directory cluster(where.cluster, user ? std::optional(user->uid) : std::nullopt);
    }
}

}  // namespace

server::server(server_options options)
    : options_(std::move(options)),
      where_(layout_in(options_.data_dir.empty() ? default_data_dir() : options_.data_dir)) {}

std::string server::conninfo(const std::string& database) const {
    return "host=" + quoted_conninfo_value(where_.sockets.string()) +
           " port=5432 user=postrider dbname=" + quoted_conninfo_value(database);
}

bool server::running() const { return find_postmaster(where_.cluster).has_value(); }

bool server::answers() {
    // The server's own record of its socket overrides the choice of this process.
    if (auto recorded = recorded_sockets(where_.cluster); !recorded.empty()) {
        where_.sockets = std::move(recorded);
    }
    // A server that has just become ready, or lost a process, may refuse a connection once. Only
    // repeated refusals are an error.
    constexpr int attempts = 3;
    const auto address = conninfo("postgres") + " connect_timeout=3";
    for (int attempt = 1;; ++attempt) {
        try {
            const pg::connection session(address);
            return true;
        } catch (const connection_error& problem) {
            silence_ = problem.what();
            if (pg::ping(address) != pg::server_state::answering || is_crowded(silence_)) {
                return false;
            }
            if (attempt == attempts) {
                fail("the server is running, but rejects this program", silence_);
            }
            std::this_thread::sleep_for(pause);
        }
    }
}

bool server::wait_until_answering() {
    auto deadline = std::chrono::steady_clock::now() + server_timeout;
    while (running()) {
        if (answers()) {
            return true;
        }
        const auto now = std::chrono::steady_clock::now();
        if (is_crowded(silence_)) {
            deadline = std::min(deadline, now + crowd_timeout);
        }
        if (now > deadline) {
            fail("the server is running, but rejects the connection of this program", silence_);
        }
        throw_if_stopped(options_.stop);
        std::this_thread::sleep_for(pause);
    }
    return false;
}

void server::use_running() {
    if (options_.adopt) {
        owner_ = file_lock::try_take(where_.owner_lock);
    }
    make_database();
}

void server::start() {
    user_ = unprivileged_user();
    require_safe_layout(where_, user_);
    if (running() && answers()) {
        use_running();
        return;
    }
    binaries_ = find_binaries(options_.bin_dir, cluster_version(), options_.stop);
    create_root(where_, user_);
    // Of several processes that start at the same time, one starts the server and the others find
    // it running.
    const auto lock = file_lock::wait_for(where_.start_lock, options_.stop);
    if (wait_until_answering()) {
        use_running();
        return;
    }
    where_ = layout_in(where_.root);
    create_private_directories(where_, user_);
    make_cluster();
    write_settings();
    launch();
    try {
        owner_ = file_lock::try_take(where_.owner_lock);
        make_database();
    } catch (...) {
        // The caller gets an error and would not stop it.
        shut_down();
        owner_.release();
        throw;
    }
}

std::optional<int> server::cluster_version() const {
    int version = 0;
    if (std::ifstream(where_.cluster / "PG_VERSION") >> version) {
        return version;
    }
    return std::nullopt;
}

std::vector<std::string> server::program(const char* name,
                                         std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), (binaries_.directory / name).string());
    return arguments;
}

void server::make_database() const {
    pg::connection session(conninfo("postgres"));
    const auto found = session.exec("select from pg_database where datname = 'postrider'");
    if (!found.empty()) {
        return;
    }
    try {
        session.exec("create database postrider");
    } catch (const error& problem) {
        // 42P04, 23505: another process has created it.
        if (problem.sqlstate() != "42P04" && problem.sqlstate() != "23505") {
            throw;
        }
    }
}

void server::stop() {
    if (responsible()) {
        stop_anyway();
        owner_.release();
    }
}

void server::stop_anyway() {
    user_ = unprivileged_user();
    require_safe_layout(where_, user_);
    if (!running()) {
        return;
    }
    const auto lock = file_lock::wait_for(where_.start_lock);
    shut_down();
}

void server::shut_down() {
    if (auto recorded = recorded_sockets(where_.cluster); !recorded.empty()) {
        where_.sockets = std::move(recorded);
    }
    const auto postmaster = find_postmaster(where_.cluster);
    // SIGINT is PostgreSQL's fast shutdown.
    if (!postmaster || ::kill(*postmaster, SIGINT) != 0) {
        return;
    }
    const auto deadline = std::chrono::steady_clock::now() + server_timeout;
    while (serves(*postmaster, where_.cluster)) {
        if (std::chrono::steady_clock::now() > deadline) {
            fail("the server did not stop", tail_of(where_.log));
        }
        std::this_thread::sleep_for(pause);
    }
    // A short place elsewhere (see layout_in) is not left behind; the usual one is part of the
    // data. The recorded one is not used here: the server's user can write any path there.
    const auto sockets = layout_in(where_.root).sockets;
    if (sockets.parent_path() != where_.root) {
        ::rmdir(sockets.c_str());
    }
}

void server::fail(const std::string& problem, const std::string& output) const {
    std::string message = "private PostgreSQL in " + where_.root.string() + ": " + problem;
    if (user_) {
        message +=
            " (it runs as the user " + user_->name + ", who must be able to reach this directory)";
    }
    throw error(errc::server_start_failed, output.empty() ? message : message + "\n" + output);
}

}  // namespace postrider::embedded
