#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/operators.hpp"
#include "store/reads/views.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

struct list_options {
    std::string only;
    int limit = 50;
    bool flag = false;
    bool quiet = false;
};

CLI::Option* add_limit(CLI::App& command, list_options& options) {
    return command.add_option("--limit", options.limit, "maximum number of rows")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
}

std::string worker_state(const store::listing& rows, int row) {
    return rows.text(row, "alive") == "true" ? "alive" : "gone";
}

std::string holder_state(const store::listing& rows, int row) {
    return rows.text(row, "worker_alive") == "true" ? "alive" : "gone";
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
    line("retrying", "deliveries_pending");
    line("dead letters", "dead_letters");
    line("circuits not closed", "circuits_not_closed");
    line("replays active", "replays_active");
    line("alerts unsent", "alerts_unsent");
    line("log partitions", "partitions");
    fmt::print("{:<22} {}\n", "behind since",
               row.has(0, "behind_since") ? time_text(row.text(0, "behind_since")) : "-");
}

}  // namespace

void add_leases(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("leases", "List leases and the workers that hold them");
    const auto options = std::make_shared<list_options>();
    command->add_option("--consumer", options->only, "only of this consumer");
    command->add_flag("--quiet,-q", options->quiet, "print only the lease ids");
    command->footer("Example:\n  postrider leases --consumer billing");
    command->callback([&shared, options] {
        operator_session session(shared);
        print_listing(shared, store::leases(session, options->only),
                      {{"kind", "kind"},
                       {"id", "id", kind::number},
                       {"consumer", "consumer"},
                       {"handler", "handler"},
                       {"messages", "messages", kind::number},
                       {"claimed", "claimed_at", kind::time},
                       {"deadline", "deadline", kind::time},
                       {"overdue", "overdue", kind::flag},
                       {.title = "worker is", .make = holder_state, .states = "worker"},
                       {"worker", "worker"},
                       {"host", "host", kind::last}},
                      {.nothing = "no leases", .quiet_column = "id", .quiet = options->quiet});
    });
}

void add_unique_keys(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand(
        "unique-keys", "List unique keys that jobs hold, those of the newest jobs first");
    const auto limit = std::make_shared<int>(50);
    command->add_option("--limit", *limit, "maximum number of keys")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->footer(
        "Examples:\n  postrider unique-keys\n  postrider unique-keys --limit 1000 --json");
    command->callback([&shared, limit] {
        operator_session session(shared);
        print_listing(shared, store::unique_keys(session, {}, {.limit = *limit}),
                      {{"consumer", "consumer"},
                       {"handler", "handler"},
                       {"key", "key"},
                       {"scope", "scope"},
                       {"running", "running", kind::flag},
                       {"since", "taken_at", kind::time},
                       {"until", "expires_at", kind::time},
                       {"message", "id", kind::last}},
                      {.nothing = "no unique key is held"});
    });
}

void add_blocked_keys(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand(
        "blocked-keys", "List blocked ordering keys and the messages at their heads");
    const auto options = std::make_shared<list_options>();
    command->add_option("--consumer", options->only, "only of this consumer");
    command->add_flag("--quiet,-q", options->quiet, "print only the keys");
    command->footer("Example:\n  postrider blocked-keys --consumer ledger");
    command->callback([&shared, options] {
        operator_session session(shared);
        print_listing(
            shared, store::blocked_keys(session, options->only),
            {{"consumer", "consumer"},
             {"key", "key"},
             state_column("head", "status", "head"),
             {"followers", "followers", kind::number},
             {"alert", "alerted_at", kind::time},
             {"since", "since", kind::time},
             {"attempts", "attempts", kind::number},
             {"error", "error_class"},
             {"delivery", "delivery_id", kind::number},
             {"message", "id", kind::last}},
            {.nothing = "no blocked keys", .quiet_column = "key", .quiet = options->quiet});
    });
}

void add_brokers(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand(
        "brokers", "List relays and the handlers that receive from a broker, with their progress");
    const auto options = std::make_shared<list_options>();
    command->add_option("--consumer", options->only, "only of this consumer");
    command->add_flag("--quiet,-q", options->quiet, "print only the names of the handlers");
    command->footer(
        "Addresses are shown without credentials. The lag of a relay is the age of the oldest "
        "message that it\nhas not claimed. The broker shows the lag of a worker that receives from "
        "it.\n\n"
        "Example:\n  postrider brokers --json");
    command->callback([&shared, options] {
        operator_session session(shared);
        print_listing(shared, store::brokers(session, options->only),
                      {{"consumer", "consumer"},
                       {"handler", "handler"},
                       {"direction", "direction"},
                       {"address", "address"},
                       {"name", "name"},
                       {"workers", "workers", kind::number},
                       {"behind since", "behind_since", kind::time},
                       {"retrying", "pending", kind::number},
                       {"dead", "failed", kind::number},
                       state_column("circuit", "circuit_state", "circuit"),
                       {"error", "last_error", kind::last}},
                      {.nothing = "no relays, and no workers behind a broker",
                       .quiet_column = "handler",
                       .quiet = options->quiet});
    });
}

void add_workers(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("workers", "List the workers that are alive");
    const auto options = std::make_shared<list_options>();
    command->add_option("--consumer", options->only, "only of this consumer");
    command->add_flag("--all", options->flag, "include workers that are gone");
    command->add_flag("--quiet,-q", options->quiet, "print only the ids");
    command->footer("Example:\n  postrider workers --all");
    command->callback([&shared, options] {
        operator_session session(shared);
        print_listing(shared, store::workers(session, options->only, options->flag),
                      {{"worker", "worker"},
                       {"consumer", "consumer"},
                       {"host", "host"},
                       {"version", "version"},
                       {"started", "started_at", kind::time},
                       {.title = "state", .make = worker_state, .states = "worker"},
                       {"until", "alive_until", kind::time},
                       {"leased", "leased", kind::number},
                       {"deliveries", "deliveries", kind::number},
                       {"handlers", "handlers", kind::last}},
                      {.nothing = options->flag ? "no workers" : "no worker is alive",
                       .quiet_column = "worker",
                       .quiet = options->quiet});
    });
}

void add_alerts(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("alerts", "List alerts, newest first");
    const auto options = std::make_shared<list_options>();
    command->add_flag("--unsent", options->flag, "only alerts that are not sent to every target");
    add_limit(*command, *options);
    command->footer("Example:\n  postrider alerts --unsent");
    command->callback([&shared, options] {
        operator_session session(shared);
        print_listing(shared, store::alerts(session, options->flag, {}, {.limit = options->limit}),
                      {{"alert", "alert_id", kind::number},
                       {"at", "at", kind::time},
                       {"kind", "kind"},
                       {"handler", "handler_name"},
                       {"delivery", "delivery_id", kind::number},
                       {"class", "error_class"},
                       {"unsent", "unsent"},
                       {"error", "last_error", kind::last}},
                      {.nothing = "no alerts"});
    });
}

void add_audits(CLI::App& app, context& shared) {
    auto* command =
        app.add_subcommand("audits", "List changes by operators with their reasons, newest first");
    const auto options = std::make_shared<list_options>();
    command->add_option("--actor", options->only, "only changes of this actor");
    add_limit(*command, *options);
    command->footer("Example:\n  postrider audits --actor ann@ops");
    command->callback([&shared, options] {
        operator_session session(shared);
        print_listing(shared,
                      store::audits(session, options->only, "", {}, {.limit = options->limit}),
                      {{"audit", "audit", kind::number},
                       {"at", "at", kind::time},
                       {"by", "actor"},
                       {"action", "action"},
                       {"on", "filter"},
                       {"reason", "reason", kind::last}},
                      {.nothing = "no audit entries"});
    });
}

void add_stats(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("stats", "Show totals");
    command->footer("Example:\n  postrider stats --json");
    command->callback([&shared] { print_stats(shared); });
}

}  // namespace postrider::cli
