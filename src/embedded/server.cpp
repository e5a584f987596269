#include "embedded/server.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <postrider/error.hpp>
#include <thread>

#include "embedded/postmaster.hpp"
#include "pg/connection.hpp"

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 120s;        // crash recovery may have much to do
constexpr auto orphan_patience = 30s;  // backends of a killed postmaster notice it soon
constexpr auto pause = 20ms;

std::string quoted_setting(const std::string& value) {
    std::string quoted = "'";
    for (const char c : value) {
        quoted += c;
        if (c == '\'' || c == '\\') {
            quoted += c;
        }
    }
    return quoted + "'";
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

// What a start says while processes of the last server still hold on to their shared memory.
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

}  // namespace

server::server(server_options options)
    : options_(std::move(options)),
      where_(places_in(options_.data_dir.empty() ? default_data_dir() : options_.data_dir)) {}

std::string server::conninfo(const std::string& database) const {
    return "host=" + quoted_conninfo_value(where_.sockets.string()) +
           " port=5432 user=postrider dbname=" + quoted_conninfo_value(database);
}

bool server::running() const { return find_postmaster(where_.cluster).has_value(); }

bool server::answers() const {
    try {
        const pg::connection session(conninfo("postgres"));
        return true;
    } catch (const connection_error&) {
        return false;
    }
}

bool server::wait_until_answering() const {
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
    create_private_directories(where_, user_);
    if (wait_until_answering()) {
        if (options_.adopt) {
            owner_ = file_lock::try_take(where_.owner_lock);
        }
    } else {
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

void server::make_cluster() {
    if (cluster_version()) {
        return;
    }
    // Made aside and moved into place, so that an interrupted initdb leaves nothing half done. The
    // log directory is the one place below the root where the server's user may create files.
    const auto fresh = where_.log.parent_path() / "cluster.new";
    fs::remove_all(fresh);
    auto command =
        program("initdb", {"--pgdata", fresh.string(), "--username", "postrider", "--auth", "trust",
                           "--encoding", "UTF8", "--locale", "C", "--no-instructions"});
    if (!options_.fsync) {
        command.emplace_back("--no-sync");
    }
    const auto outcome = run_command(command, user_, where_.log.parent_path());
    if (!outcome.succeeded()) {
        fail("initdb failed", outcome.output);
    }
    std::ofstream(fresh / "postgresql.conf", std::ios::app) << "\ninclude 'postrider.conf'\n";
    fs::rename(fresh, where_.cluster);
}

void server::write_settings() const {
    const auto file = where_.cluster / "postrider.conf";
    const auto fresh = where_.cluster / "postrider.conf.new";
    {
        std::ofstream text(fresh);
        text << "# Written at every start.\n"
             << "listen_addresses = ''\n"
             << "port = 5432\n"
             << "unix_socket_directories = " << quoted_setting(where_.sockets.string()) << "\n"
             << "unix_socket_permissions = 0700\n"
             << "logging_collector = off\n"
             << "log_line_prefix = '%m [%p] '\n";
        if (!options_.fsync) {
            text << "fsync = off\nfull_page_writes = off\n";
        }
        for (const auto& [name, value] : options_.settings) {
            text << name << " = " << quoted_setting(value) << "\n";
        }
    }
    if (user_ && ::chown(fresh.c_str(), user_->uid, user_->gid) != 0) {
        fail("cannot give " + fresh.string() + " to the user " + user_->name, "");
    }
    fs::rename(fresh, file);
}

void server::clear_stale_files() const {
    // PostgreSQL takes any live process with the recorded number for itself, for example after a
    // container was restarted. When it certainly is another program, and nobody claims the server,
    // the files are left over.
    if (!names_a_stranger(where_.cluster) || !file_lock::try_take(where_.owner_lock).held()) {
        return;
    }
    std::error_code ignored;
    fs::remove(where_.cluster / "postmaster.pid", ignored);
    fs::remove(where_.sockets / ".s.PGSQL.5432.lock", ignored);
}

void server::launch() {
    limit_size(where_.log);
    const auto command = program(
        "pg_ctl", {"start", "--pgdata", where_.cluster.string(), "--log", where_.log.string(),
                   "--wait", "--timeout", std::to_string(patience.count()), "--silent"});
    const auto deadline = std::chrono::steady_clock::now() + orphan_patience;
    while (true) {
        std::error_code ignored;
        const auto logged_before = fs::exists(where_.log) ? fs::file_size(where_.log, ignored) : 0;
        clear_stale_files();
        const auto outcome = run_command(command, user_, where_.log.parent_path());
        if (outcome.succeeded()) {
            return;
        }
        std::ifstream log(where_.log);
        log.seekg(static_cast<std::streamoff>(logged_before));
        const std::string news(std::istreambuf_iterator<char>(log), {});
        if (!is_orphan_complaint(news) || std::chrono::steady_clock::now() > deadline) {
            fail("the server did not start", outcome.output + tail_of(where_.log));
        }
        std::this_thread::sleep_for(pause);
    }
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
