// postrider_test_cluster start <dir> [--bin DIR] | stop <dir>
// One private PostgreSQL for many tests. <dir>/env says how to reach it, and the database
// postrider_template has the schema.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <postrider/migrate.hpp>
#include <string>
#include <vector>

#include "embedded/server.hpp"
#include "pg/connection.hpp"

namespace {

namespace fs = std::filesystem;
using postrider::embedded::server;

server make_server(const fs::path& directory, const fs::path& bin_dir) {
    return server({.data_dir = directory,
                   .bin_dir = bin_dir,
                   .fsync = false,
                   // Tests that want native claims turn them on in their own database.
                   .settings = {{"postrider.native", "off"},
                                {"max_connections", "200"},
                                {"max_prepared_transactions", "20"},
                                {"shared_buffers", "256MB"}}});
}

void make_template(const server& running) {
    postrider::pg::connection session(running.conninfo("postgres"));
    session.exec("drop database if exists postrider_template with (force)");
    session.exec("create database postrider_template");
    postrider::migrate_up({.database = running.conninfo("postrider_template")});
}

void start(const fs::path& directory, const fs::path& bin_dir) {
    auto running = make_server(directory, bin_dir);
    running.start();
    try {
        make_template(running);
    } catch (const std::exception&) {
        // Whoever is told that starting failed does not stop it.
        running.stop_anyway();
        throw;
    }
    std::ofstream(running.where().root / "env")
        << "PGHOST=" << running.where().sockets.string() << "\nPGPORT=5432\nPGUSER=postrider\n";
}

int usage() {
    std::fputs("usage: postrider_test_cluster start <dir> [--bin DIR] | stop <dir>\n", stderr);
    return 64;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    try {
        if (arguments.size() == 2 && arguments[0] == "stop") {
            make_server(arguments[1], {}).stop_anyway();
        } else if (arguments.size() == 2 && arguments[0] == "start") {
            start(arguments[1], {});
        } else if (arguments.size() == 4 && arguments[0] == "start" && arguments[2] == "--bin") {
            start(arguments[1], arguments[3]);
        } else {
            return usage();
        }
        return 0;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "postrider_test_cluster: %s\n", problem.what());
        return 1;
    }
}
