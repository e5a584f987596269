#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "cli/commands.hpp"
#include "cli/report_error.hpp"

int main(int argc, char** argv) {
    using namespace postrider::cli;
    context shared;
    CLI::App app{"Postrider: transactional outbox, event bus and job queue inside PostgreSQL"};
    app.name("postrider");
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
    app.add_option("--database", shared.database, "URL of the database, without a password");
    app.add_option("--config", shared.config_file,
                   "configuration file (default: ~/.config/postrider/config.toml)");
    app.add_option("--data-dir", shared.data_dir, "where the private PostgreSQL keeps its data");
    app.add_option("--bin-dir", shared.bin_dir, "where the PostgreSQL server programs are");
    app.add_flag("--no-fsync", shared.no_fsync,
                 "private PostgreSQL only: faster, and a power failure may destroy its data");
    app.add_flag("--json", shared.json, "print JSON");
    for (const auto add : {add_up, add_migrate, add_publish, add_work, add_psql, add_rebase,
                           add_config, add_errors, add_version}) {
        add(app, shared);
    }
    for (const auto add : {add_dlq, add_replay, add_consumers, add_handlers, add_workers,
                           add_leases, add_alerts, add_audits, add_stats, add_retention, add_doctor,
                           add_top, add_mcp, add_serve, add_token}) {
        add(app, shared);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        return problem.get_exit_code() == 0 ? app.exit(problem) : (app.exit(problem), usage_exit);
    } catch (const std::exception& problem) {
        return report_error(problem, shared.json);
    }
    return std::fflush(stdout) == 0 ? shared.exit_code : output_lost_exit;
}
