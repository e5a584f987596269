#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operators.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

struct list_options {
    std::string only;
    int limit = 50;
    bool flag = false;
    bool quiet = false;
};

CLI::Option* add_limit(CLI::App& command, list_options& given) {
    return command.add_option("--limit", given.limit, "so many")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
}

void print_stats(const context& shared) {
    operator_session session(shared);
    const auto row = store::stats(session);
    if (shared.json) {
        fmt::print("{}\n", printable_json(row.json(0)));
        return;
    }
    const auto line = [&](std::string_view title, std::string_view column) {
        fmt::print("{:<22} {}\n", title, row.text(0, column));
    };
    line("consumers", "consumers");
    line("  paused", "consumers_paused");
    line("workers alive", "workers");
    line("in flight", "in_flight");
    line("deliveries pending", "deliveries_pending");
    line("dead letters", "dead_letters");
    line("circuits not closed", "circuits_not_closed");
    line("replays active", "replays_active");
    line("alerts to be sent", "alerts_unsent");
    line("partitions of the log", "partitions");
    fmt::print("{:<22} {}\n", "behind since",
               row.has(0, "behind_since") ? time_text(row.text(0, "behind_since")) : "-");
}

}  // namespace

void add_leases(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("leases", "List what is in flight, and who has it");
    const auto given = std::make_shared<list_options>();
    command->add_option("--consumer", given->only, "only of this consumer");
    command->add_flag("--quiet,-q", given->quiet, "print only their numbers");
    command->footer("Example:\n  postrider leases --consumer billing");
    command->callback([&shared, given] {
        operator_session session(shared);
        print_listing(
            shared, store::leases(session, given->only),
            {{"kind", "kind"},
             {"id", "id", kind::number},
             {"consumer", "consumer"},
             {"handler", "handler"},
             {"messages", "messages", kind::number},
             {"claimed", "claimed_at", kind::time},
             {"deadline", "deadline", kind::time},
             {"overdue", "overdue", kind::flag},
             {"alive", "worker_alive", kind::flag},
             {"worker", "worker"},
             {"host", "host", kind::last}},
            {.nothing = "nothing is in flight", .quiet_column = "id", .quiet = given->quiet});
    });
}

void add_workers(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("workers", "List workers that are alive");
    const auto given = std::make_shared<list_options>();
    command->add_option("--consumer", given->only, "only of this consumer");
    command->add_flag("--all", given->flag, "those that are not alive, too");
    command->add_flag("--quiet,-q", given->quiet, "print only their ids");
    command->footer("Example:\n  postrider workers --all");
    command->callback([&shared, given] {
        operator_session session(shared);
        print_listing(shared, store::workers(session, given->only, given->flag),
                      {{"worker", "worker"},
                       {"consumer", "consumer"},
                       {"host", "host"},
                       {"version", "version"},
                       {"started", "started_at", kind::time},
                       {"alive", "alive", kind::flag},
                       {"until", "alive_until", kind::time},
                       {"leased", "leased", kind::number},
                       {"deliveries", "deliveries", kind::number},
                       {"handlers", "handler_list", kind::last}},
                      {.nothing = given->flag ? "no workers" : "no worker is alive",
                       .quiet_column = "worker",
                       .quiet = given->quiet});
    });
}

void add_alerts(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("alerts", "List alerts, the newest first");
    const auto given = std::make_shared<list_options>();
    command->add_flag("--unsent", given->flag, "only those that some target has not got yet");
    add_limit(*command, *given);
    command->footer("Example:\n  postrider alerts --unsent");
    command->callback([&shared, given] {
        operator_session session(shared);
        print_listing(shared, store::alerts(session, given->flag, given->limit),
                      {{"alert", "alert_id", kind::number},
                       {"at", "at", kind::time},
                       {"kind", "kind"},
                       {"handler", "handler_name"},
                       {"delivery", "delivery_id", kind::number},
                       {"class", "error_class"},
                       {"unsent", "unsent_list"},
                       {"error", "last_error", kind::last}},
                      {.nothing = "no alerts"});
    });
}

void add_audits(CLI::App& app, context& shared) {
    auto* command =
        app.add_subcommand("audits", "List what operators did and why, the newest first");
    const auto given = std::make_shared<list_options>();
    command->add_option("--actor", given->only, "only of this one");
    add_limit(*command, *given);
    command->footer("Example:\n  postrider audits --actor ann@ops");
    command->callback([&shared, given] {
        operator_session session(shared);
        print_listing(shared, store::audits(session, given->only, given->limit),
                      {{"audit", "audit", kind::number},
                       {"at", "at", kind::time},
                       {"by", "actor"},
                       {"action", "action"},
                       {"on", "filter"},
                       {"reason", "reason", kind::last}},
                      {.nothing = "nothing was done"});
    });
}

void add_stats(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("stats", "Show the whole in a few numbers");
    command->footer("Example:\n  postrider stats --json");
    command->callback([&shared] { print_stats(shared); });
}

}  // namespace postrider::cli
