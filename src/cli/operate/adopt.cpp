#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/operate/operating.hpp"
#include "pg/connection.hpp"

namespace postrider::cli {
namespace {

struct adopt_options {
    std::string name;
    bool drop_owed = false;
    std::shared_ptr<audit_options> why;
};

void adopt_copy(context& shared, const adopt_options& options) {
    const auto entry = options.why->entry();
    const open_database database(shared);
    auto session = database.session();
    if (options.drop_owed &&
        !confirmed(*options.why,
                   "drop all unhandled messages, retries and alerts of this database?")) {
        shared.exit_code = not_done_exit;
        return;
    }
    const auto dropped =
        session.exec_params("select * from postrider.adopt($1, $2, $3, $4)",
                            pg::params(options.name, entry.actor, entry.reason, options.drop_owed));
    const auto deliveries = dropped.get<std::int64_t>(0, 0);
    const auto consumers = dropped.get<std::int64_t>(0, 1);
    const auto schedules = dropped.get<std::int64_t>(0, 2);
    if (shared.json) {
        fmt::print("{}\n", json_object()
                               .add("deployment", options.name)
                               .add("dropped_deliveries", deliveries)
                               .add("dropped_consumers", consumers)
                               .add("paused_schedules", schedules)
                               .text());
        return;
    }
    fmt::print("this database now belongs to deployment {}\n", options.name);
    if (options.drop_owed) {
        fmt::print("dropped {} deliveries, and the unhandled messages of {} consumers\n",
                   deliveries, consumers);
    }
    if (schedules > 0) {
        fmt::print("paused {} schedules; `postrider schedule resume` lets one fire here\n",
                   schedules);
    }
}

}  // namespace

void add_adopt(CLI::App& app, context& shared) {
    auto* command =
        app.add_subcommand("adopt", "Make a physical copy of a database a separate deployment");
    const auto options = std::make_shared<adopt_options>();
    command->add_option("NAME", options->name, "name of the deployment, e.g. staging")->required();
    command->add_flag("--drop-owed", options->drop_owed,
                      "drop the messages, retries and alerts that the original database delivers");
    options->why = add_audit_options(*command, asks::for_confirmation);
    command->footer(
        "A base backup, a disk snapshot or a promoted replica contains all unhandled messages of "
        "the original.\nWorkers that expect another deployment (work --deployment NAME) refuse to "
        "deliver them again.\nRun this in the copy, as a superuser or a member of postrider_owner. "
        "For a server that was moved,\ngive its existing deployment name.\n\n"
        "Example:\n"
        "  postrider adopt staging --drop-owed --yes --reason 'clone of Monday' --database "
        "postgresql://localhost:5433/app");
    command->callback([&shared, options] { adopt_copy(shared, *options); });
}

}  // namespace postrider::cli
