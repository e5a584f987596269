#include <CLI/CLI.hpp>
#include <exception>
#include <postrider/error.hpp>
#include <postrider/version.hpp>
#include <string>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/limit/limit.hpp"
#include "cli/output/say.hpp"
#include "cli/relay/relay_command.hpp"
#include "cli/report_error.hpp"
#include "embedded/interrupted.hpp"

namespace {

// An empty option would silently fall back to the next source of the setting.
std::string not_empty(const std::string& value) {
    return value.empty() ? "empty value; give a value or omit the option" : "";
}

}  // namespace

int main(int argc, char** argv) {
    using namespace postrider::cli;
    keep_standard_streams();
    context shared;
    CLI::App app{"Postrider: transactional outbox, event bus and job queue inside PostgreSQL"};
    app.name("postrider");
    app.set_version_flag("--version", "postrider " + std::string(postrider::version()));
    app.require_subcommand(1);
    app.fallthrough();
    app.footer(
        "Without a database in --database, POSTRIDER_DATABASE_URL or the configuration file a "
        "private\nPostgreSQL is used.\n\n"
        "Examples:\n"
        "  postrider up --demo\n"
        "  postrider migrate up --database postgresql://app@localhost/app\n"
        "  postrider publish user.created --payload '{\"user_id\": 42}'\n"
        "  postrider work --consumer billing --on 'user.*' --exec ./send-welcome-mail\n"
        "  postrider psql -c 'select * from postrider.migration'");
    const auto add_text = [&](const char* name, std::string& to, const char* meaning) {
        app.add_option(name, to, meaning)->check(not_empty);
    };
    add_text("--database", shared.database, "URL of the database, without a password");
    add_text("--config", shared.config_file,
             "configuration file (default: ~/.config/postrider/config.toml)");
    add_text("--data-dir", shared.data_dir, "data directory of the private PostgreSQL");
    add_text("--bin-dir", shared.bin_dir, "directory of the PostgreSQL server programs");
    app.add_flag("--no-fsync", shared.no_fsync,
                 "private PostgreSQL only: faster, but a power failure may destroy its data");
    app.add_flag("--json", shared.json, "print JSON");
    for (const auto add :
         {add_up, add_migrate, add_publish, add_work, add_relay, add_psql, add_rebase, add_adopt,
          add_config, add_errors, add_completion, add_man, add_version}) {
        add(app, shared);
    }
    for (const auto add : {add_dead_letters, add_replay,      add_schedule, add_jobs,    add_sets,
                           add_erase,        add_consumers,   add_handlers, add_workers, add_leases,
                           add_blocked_keys, add_unique_keys, add_alerts,   add_audits,  add_stats,
                           add_retention,    add_doctor,      add_top,      add_mcp,     add_serve,
                           add_token}) {
        add(app, shared);
    }
    add_limit(app, shared);
    add_brokers(app, shared);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        const int status = refuse_command_line(
            app, problem, asks_for_json({argv, static_cast<std::size_t>(argc)}));
        return output_lost() ? report_lost_output() : status;
    } catch (const postrider::embedded::interrupted&) {
        return 0;  // stopped by a signal before the command began
    } catch (const postrider::error& problem) {
        return report_error(problem, shared.json);
    } catch (const std::exception& problem) {
        return output_lost() ? report_lost_output() : report_error(problem, shared.json);
    }
    return output_lost() ? report_lost_output() : shared.exit_code;
}
