#include "bench/lab/lab.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <postrider/migrate.hpp>
#include <system_error>

#include "pg/conninfo.hpp"

namespace postrider::bench {
namespace fs = std::filesystem;
namespace {

constexpr const char* template_name = "postrider_bench_template";

fs::path make_directory() {
    auto pattern = (fs::temp_directory_path() / "postrider-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), "mkdtemp " + pattern);
    }
    // Root's server runs as another user, who must be able to enter.
    fs::permissions(pattern, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
    return pattern;
}

// Run by root, the server belongs to another user, who may have no access to the folder of its
// programs.
fs::path reachable(const fs::path& programs, const fs::path& directory) {
    if (programs.empty() || ::geteuid() != 0) {
        return programs;
    }
    const auto whole = fs::canonical(programs).parent_path();
    fs::copy(whole, directory / "server",
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    return directory / "server" / fs::canonical(programs).filename();
}

embedded::server_options private_server(const fs::path& directory, const lab_options& options) {
    return {.data_dir = directory / "data",
            .bin_dir = reachable(options.server_programs, directory),
            .fsync = !options.tiny,
            .settings = {{"shared_buffers", "512MB"},
                         {"max_wal_size", "4GB"},
                         {"max_connections", "100"},
                         {"autovacuum", "on"}}};
}

}  // namespace

lab::lab(const lab_options& options) : options_(options), directory_(make_directory()) {
    if (options_.database.empty()) {
        server_.emplace(private_server(directory_, options_));
        server_->start();
    } else {
        // Only the name of the database differs from here on.
        for (const auto& [name, value] : pg::as_environment(options_.database)) {
            ::setenv(name.c_str(), value.c_str(), 1);
        }
    }
    pg::connection session(conninfo("postgres"));
    session.exec(fmt::format("drop database if exists {} with (force)", template_name));
    session.exec(fmt::format("create database {}", template_name));
    claims_natively_ = migrate_up({.database = conninfo(template_name)}).native == "on";
    if (!claims_natively_) {
        fmt::print(stderr,
                   "warning: claims are measured in SQL: this server does not have the library "
                   "postrider_native for PostgreSQL {}\n",
                   session.server_version() / 10000);
    }
}

lab::~lab() { tear_down(); }

void lab::tear_down() noexcept {
    const std::scoped_lock lock(tearing_down_);
    if (ending_.exchange(true)) {
        return;
    }
    try {
        if (server_) {
            server_->stop_anyway();
        } else {
            pg::connection(conninfo("postgres"))
                .exec(fmt::format("drop database if exists {} with (force)", template_name));
        }
        fs::remove_all(directory_);
    } catch (const std::exception& problem) {
        fmt::print(stderr, "postrider-bench: {}\n", problem.what());
    }
}

std::string lab::conninfo(const std::string& database) const {
    return server_ ? server_->conninfo(database) : "dbname=" + database;
}

std::optional<pid_t> lab::server_process() const {
    pid_t process = 0;
    if (server_ && std::ifstream(server_->where().cluster / "postmaster.pid") >> process) {
        return process;
    }
    return std::nullopt;
}

fresh_database::fresh_database(const lab& where) : where_(where) {
    static int count = 0;
    name_ = fmt::format("postrider_bench_{}", ++count);
    pg::connection session(where_.conninfo("postgres"));
    session.exec(fmt::format("drop database if exists {} with (force)", name_));
    session.exec(fmt::format("create database {} template {}", name_, template_name));
    conninfo_ = where_.conninfo(name_);
}

fresh_database::~fresh_database() {
    // Dropping a database takes a checkpoint, which is too slow for a short run.
    if (where_.ending() || ((where_.quick() || where_.tiny()) && where_.throwaway())) {
        return;
    }
    try {
        pg::connection(where_.conninfo("postgres"))
            .exec(fmt::format("drop database {} with (force)", name_));
    } catch (const std::exception& problem) {
        fmt::print(stderr, "postrider-bench: {}\n", problem.what());
    }
}

pg::connection fresh_database::connect_consumer() const {
    auto session = connect();
    session.exec("set synchronous_commit = off");
    return session;
}

void fresh_database::settle_down() const {
    auto session = connect();
    if (where_.tiny()) {
        session.exec("analyze");  // only figures that are compared need clean pages
        return;
    }
    session.exec("vacuum analyze");
    session.exec("checkpoint");
}

}  // namespace postrider::bench
