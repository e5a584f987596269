#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <postrider/error.hpp>
#include <postrider/migrate.hpp>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/demo/demo.hpp"
#include "cli/operate/operating.hpp"
#include "cli/stop_signal.hpp"
#include "embedded/files/data_layout.hpp"
#include "pg/conninfo.hpp"
#include "serve/auth/secret.hpp"
#include "serve/server.hpp"

namespace postrider::cli {
namespace fs = std::filesystem;
namespace {

struct up_options {
    bool demo = false;
    bool keep = false;
    bool no_page = false;
    std::string broker;
};

// Falls back to a free port if another program uses the default one.
std::unique_ptr<serve::server> open_page(const std::string& database) {
    serve::serve_options options{
        .database = database, .link_token = serve::make_token(), .link_name = whoami()};
    try {
        return std::make_unique<serve::server>(options);
    } catch (const error& problem) {
        if (problem.code() != errc::config_invalid) {
            throw;
        }
        options.port = 0;
        return std::make_unique<serve::server>(options);
    }
}

void announce(const context& shared, const open_database& database, int version,
              const std::string& link) {
    const auto place = pg::describe_conninfo(database.conninfo());
    if (shared.json) {
        json_object line;
        line.add("state", "ready")
            .add("database", place)
            .add("embedded", database.is_embedded())
            .add("version", version);
        if (!link.empty()) {
            line.add("link", link);
        }
        fmt::print("{}\n", line.text());
    } else {
        fmt::print("ready: {} (schema version {})\n", place, version);
        if (!link.empty()) {
            fmt::print("open {}\n", link);
        }
        fmt::print("inspect with `postrider top` and `postrider psql`; Ctrl-C stops\n");
    }
    // The parent process may wait for this line in a pipe or a file.
    std::fflush(stdout);
}

// For a private database of another version, suggest a new data directory.
int bring_up_to_date(const open_database& database) {
    try {
        return migrate_up({.database = database.conninfo(), .log = {}}).version_after;
    } catch (const schema_error& problem) {
        if (!database.is_embedded()) {
            throw;
        }
        throw schema_error(problem.code(), std::string(problem.what()) +
                                               "; or create a new private database: `postrider "
                                               "--data-dir DIR up`, or POSTRIDER_DATA_DIR");
    }
}

void stay(const context& shared, const open_database& database, const stop_signal& stop,
          const up_options& options) {
    if (options.demo) {
        const auto root =
            shared.data_dir.empty() ? embedded::default_data_dir() : fs::path(shared.data_dir);
        try {
            demo::run({.database = database.conninfo(),
                       .json = shared.json,
                       .broker = options.broker,
                       .broker_directory = root / "nats"},
                      stop);
        } catch (const error&) {
            database.require_server();  // report a stopped server first
            throw;
        }
        return;
    }
    database.stay_until(stop);
}

void run_up(const context& shared, const up_options& options) {
    if (!options.broker.empty() && !options.demo) {
        throw usage_error("--broker is for the demo: add --demo");
    }
    const stop_signal stop;
    open_database database(shared, open_database::lifetime::service, &stop);
    if (options.keep) {
        database.keep();
    }
    const int version = bring_up_to_date(database);
    const auto page = options.no_page ? nullptr : open_page(database.conninfo());
    announce(shared, database, version, page ? page->link() : "");
    stay(shared, database, stop, options);
    if (!shared.json) {
        fmt::print("stopping\n");
        std::fflush(stdout);
    }
}

}  // namespace

void add_up(CLI::App& app, context& shared) {
    auto* command =
        app.add_subcommand("up", "Start PostgreSQL and the operator's page, and run until Ctrl-C");
    command->footer(
        "Starts the private PostgreSQL, or uses the selected database, migrates the schema and "
        "serves the\noperator's page on loopback. The link contains a token that is valid until "
        "this program ends.\n\n"
        "Examples:\n"
        "  postrider up --demo\n"
        "  postrider up --demo --broker nats    the demo on JetStream, with a private nats-server\n"
        "  postrider up --keep                  leave PostgreSQL running on exit\n"
        "  postrider up --database postgresql://app@localhost/app");
    const auto options = std::make_shared<up_options>();
    command->add_flag("--demo", options->demo, "publish and handle sample messages");
    command->add_option("--broker", options->broker,
                        "--demo: consumers receive from JetStream: nats for a private nats-server, "
                        "or the address of one");
    command->add_flag("--no-page", options->no_page, "do not serve the operator's page");
    command->add_flag("--keep", options->keep, "leave the private PostgreSQL running on exit");
    command->callback([&shared, options] { run_up(shared, *options); });
}

}  // namespace postrider::cli
