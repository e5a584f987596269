#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "embedded/files/data_layout.hpp"
#include "pg/conninfo.hpp"

namespace postrider::cli {
namespace {

void print_config(const context& shared) {
    const auto choice = choose_database(shared);
    const auto data_dir =
        shared.data_dir.empty() ? embedded::default_data_dir().string() : shared.data_dir;
    const auto config_file =
        shared.config_file.empty() ? default_config_file().string() : shared.config_file;
    const auto database = choice.source == database_source::embedded
                              ? "private PostgreSQL in " + data_dir
                              : pg::describe_conninfo(choice.url);
    if (shared.json) {
        fmt::print("{}\n", json_object()
                               .add("database", database)
                               .add("source", to_string(choice.source))
                               .add("config_file", config_file)
                               .add("data_dir", data_dir)
                               .text());
        return;
    }
    fmt::print("database     {}\nsource       {}\nconfig file  {}\ndata dir     {}\n", database,
               to_string(choice.source), config_file, data_dir);
}

}  // namespace

void add_config(CLI::App& app, context& shared) {
    auto* command =
        app.add_subcommand("config", "Show the database in use and the setting that selects it");
    command->footer(
        "The first of these that is set is used:\n"
        "  --database URL\n"
        "  POSTRIDER_DATABASE_URL\n"
        "  database = \"URL\" in the configuration file\n"
        "  the private PostgreSQL\n"
        "Passwords are never shown.");
    command->callback([&shared] { print_config(shared); });
}

}  // namespace postrider::cli
