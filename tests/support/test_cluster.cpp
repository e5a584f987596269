// postrider_test_cluster start <dir> [--bin DIR] | stop <dir>
// One private PostgreSQL for many tests. <dir>/env has its address. Templates of databases:
// postrider_template has the schema, postrider_native_template native claims too, if the server can
// load the library; then there is postrider_library_template, where claim() goes through it.
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
                   // Tests of native claims turn them on in their own database.
                   .settings = {{"postrider.native", "off"},
                                {"max_connections", "200"},
                                {"max_prepared_transactions", "20"},
                                {"shared_buffers", "256MB"}}});
}

void make_database(const server& running, const std::string& name, const std::string& from) {
    postrider::pg::connection session(running.conninfo("postgres"));
    session.exec("drop database if exists " + name + " with (force)");
    session.exec("create database " + name + " template " + from);
}

// Whether the server has native claims.
bool migrate(const server& running, const std::string& database) {
    return postrider::migrate_up({.database = running.conninfo(database)}).native == "on";
}

void make_templates(const server& running) {
    make_database(running, "postrider_template", "template1");
    migrate(running, "postrider_template");
    make_database(running, "postrider_native_template", "postrider_template");
    postrider::pg::connection(running.conninfo("postgres"))
        .exec("alter database postrider_native_template set postrider.native = on");
    if (migrate(running, "postrider_native_template")) {
        make_database(running, "postrider_library_template", "postrider_native_template");
        std::ifstream script(POSTRIDER_CLAIMS_THROUGH_THE_LIBRARY);
        postrider::pg::connection(running.conninfo("postrider_library_template"))
            .exec({std::istreambuf_iterator<char>(script), {}});
    }
}

void start(const fs::path& directory, const fs::path& bin_dir) {
    auto running = make_server(directory, bin_dir);
    running.start();
    try {
        make_templates(running);
    } catch (const std::exception&) {
        // The caller gets an error and would not stop it.
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
