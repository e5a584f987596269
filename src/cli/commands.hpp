#pragma once

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace postrider::cli {

// One per subcommand, each in the file of its name. The context outlives the parsing.
void add_up(CLI::App& app, context& shared);
void add_migrate(CLI::App& app, context& shared);
void add_publish(CLI::App& app, context& shared);
void add_work(CLI::App& app, context& shared);
void add_psql(CLI::App& app, context& shared);
void add_dead_letters(CLI::App& app, context& shared);
void add_replay(CLI::App& app, context& shared);
void add_schedule(CLI::App& app, context& shared);
void add_consumers(CLI::App& app, context& shared);
void add_handlers(CLI::App& app, context& shared);
void add_jobs(CLI::App& app, context& shared);
void add_sets(CLI::App& app, context& shared);
void add_erase(CLI::App& app, context& shared);
void add_workers(CLI::App& app, context& shared);
void add_blocked_keys(CLI::App& app, context& shared);
void add_unique_keys(CLI::App& app, context& shared);
void add_brokers(CLI::App& app, context& shared);
void add_leases(CLI::App& app, context& shared);
void add_alerts(CLI::App& app, context& shared);
void add_audits(CLI::App& app, context& shared);
void add_serve(CLI::App& app, context& shared);
void add_token(CLI::App& app, context& shared);
void add_stats(CLI::App& app, context& shared);
void add_doctor(CLI::App& app, context& shared);
void add_top(CLI::App& app, context& shared);
void add_mcp(CLI::App& app, context& shared);
void add_retention(CLI::App& app, context& shared);
void add_rebase(CLI::App& app, context& shared);
void add_adopt(CLI::App& app, context& shared);
void add_config(CLI::App& app, context& shared);
void add_errors(CLI::App& app, context& shared);
void add_completion(CLI::App& app, context& shared);
void add_man(CLI::App& app, context& shared);
void add_version(CLI::App& app, context& shared);

}  // namespace postrider::cli
