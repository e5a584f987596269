#include "embedded/server.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <postrider/error.hpp>
#include <thread>

#include "embedded/patience.hpp"
#include "embedded/postmaster.hpp"
#include "pg/connection.hpp"

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

using namespace std::chrono_literals;

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

}  // namespace

server::server(server_options options)
    : options_(std::move(options)),
      where_(places_in(options_.data_dir.empty() ? default_data_dir() : options_.data_dir)) {}

std::string server::conninfo(const std::string& database) const {
    return "host=" + quoted_conninfo_value(where_.sockets.string()) +
           " port=5432 user=postrider dbname=" + quoted_conninfo_value(database);
}

bool server::running() const { return find_postmaster(where_.cluster).has_value(); }

bool server::answers() {
    // Where it listens is what it says itself, whatever this process would have chosen.
    if (auto recorded = recorded_sockets(where_.cluster); !recorded.empty()) {
        where_.sockets = std::move(recorded);
    }
    try {
        const pg::connection session(conninfo("postgres"));
        return true;
    } catch (const connection_error&) {
        return false;
    }
}

bool server::wait_until_answering() {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (running() && std::chrono::steady_clock::now() < deadline) {
        if (answers()) {
            return true;
        }
        std::this_thread::sleep_for(pause);
    }
    return false;
}

void server::start() {
    user_ = unprivileged_user();
    if (running() && answers()) {
        if (options_.adopt) {
            owner_ = file_lock::try_take(where_.owner_lock);
        }
        make_database();
        return;
    }
    binaries_ = find_binaries(options_.bin_dir, cluster_version());
    create_root(where_, user_);
    // One of several starting at the same time does the work; the others then find it done.
    const auto lock = file_lock::wait_for(where_.start_lock);
    if (wait_until_answering()) {
        if (options_.adopt) {
            owner_ = file_lock::try_take(where_.owner_lock);
        }
    } else {
        where_ = places_in(where_.root);
        create_private_directories(where_, user_);
        make_cluster();
        write_settings();
        launch();
        owner_ = file_lock::try_take(where_.owner_lock);
    }
    make_database();
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
        // 42P04, 23505: another process was quicker.
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
    if (!running()) {
        return;
    }
    const auto lock = file_lock::wait_for(where_.start_lock);
    if (auto recorded = recorded_sockets(where_.cluster); !recorded.empty()) {
        where_.sockets = std::move(recorded);
    }
    const auto postmaster = find_postmaster(where_.cluster);
    // SIGINT is PostgreSQL's fast shutdown.
    if (!postmaster || ::kill(*postmaster, SIGINT) != 0) {
        return;
    }
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (serves(*postmaster, where_.cluster)) {
        if (std::chrono::steady_clock::now() > deadline) {
            fail("the server did not stop", tail_of(where_.log));
        }
        std::this_thread::sleep_for(pause);
    }
    // A short place elsewhere (see places_in) is not left behind; the usual one is part of the
    // data.
    if (where_.sockets.parent_path() != where_.root) {
        std::error_code ignored;
        fs::remove(where_.sockets, ignored);
    }
}

void server::fail(const std::string& what, const std::string& output) const {
    std::string message = "private PostgreSQL in " + where_.root.string() + ": " + what;
    if (user_) {
        message +=
            " (it runs as the user " + user_->name + ", who must be able to reach this directory)";
    }
    throw error(errc::server_start_failed, output.empty() ? message : message + "\n" + output);
}

}  // namespace postrider::embedded
