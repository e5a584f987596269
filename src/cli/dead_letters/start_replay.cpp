#include "cli/dead_letters/start_replay.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "cli/dead_letters/dead_filter.hpp"
#include "cli/dead_letters/follow_replay.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

struct start_options {
    std::shared_ptr<filter_options> which;
    std::shared_ptr<audit_options> why;
    int canary = 0;
    std::optional<double> rate;
    std::optional<std::int64_t> generation;
    std::optional<int> timeout;
    store::expected_count expected;
    bool dry_run = false;
    bool wait = false;
    bool quiet = false;
};

store::preview preview_of(pg::connection& session, const store::dead_filter& filter) {
    auto shown = store::replay_preview(session, filter);
    if (shown.total == 0) {
        throw error(errc::message_not_found,
                    "no dead letter matches; check the filter with `postrider dead-letters list`");
    }
    return shown;
}

void tell_started(const context& shared, const start_options& options, std::int64_t replay,
                  std::int64_t total) {
    if (shared.json) {
        fmt::print("{}\n", json_object().add("replay", replay).add("total", total).text());
    } else if (options.quiet) {
        fmt::print("{}\n", replay);
    } else {
        fmt::print(
            "replay {} has started with {}; `postrider replay status {} --wait` follows it\n",
            replay, counted(total, "dead letter"), replay);
    }
}

void run_start(context& shared, const start_options& options) {
    operator_session session(shared);
    const auto filter = options.which->filter(session);
    const auto shown = preview_of(session, filter);
    if (options.dry_run && shared.json) {
        fmt::print("{}\n", printable_json(shown.json));
        return;
    }
    // The replay has only the dead letters of the preview, no later ones.
    const store::replay_request request{
        shown.fixed,        options.dry_run ? store::audit_entry{} : options.why->entry(),
        options.canary,     options.rate,
        options.generation, expected_of(options.expected, shown)};
    if (!shared.json && !options.quiet) {
        print_preview(session, shown);
    }
    if (options.dry_run) {
        return;
    }
    if (!confirmed(*options.why, fmt::format("replay {}?", counted(shown.total, "dead letter")))) {
        shared.exit_code = not_done_exit;
        return;
    }
    const auto replay = store::replay_start(session, request);
    if (options.wait) {
        const auto timeout =
            options.timeout ? std::optional(std::chrono::seconds(*options.timeout)) : std::nullopt;
        shared.exit_code = follow_replay(shared, session, replay, timeout);
    } else {
        store::replay_step(session, replay);
        tell_started(shared, options, replay, shown.total);
    }
}

}  // namespace

store::expected_count expected_of(const store::expected_count& requested,
                                  const store::preview& shown) {
    return std::min(requested.value_or(shown.total), shown.total);
}

void print_preview(pg::connection& session, const store::preview& shown) {
    const auto part = [&](std::string_view name, const std::vector<table_column>& columns) {
        fmt::print("{}\n", table_text(store::preview_rows(session, shown, name), columns, "  "));
    };
    fmt::print("{}\n", counted(shown.total, "dead letter"));
    part("handlers", {{"count", "count", kind::number},
                      {"consumer", "consumer"},
                      {"channel", "channel"},
                      {"handler", "handler"}});
    part("fingerprints", {{"count", "count", kind::number},
                          {"class", "error_class"},
                          {"error", "last_error", kind::last}});
    fmt::print("  newest:\n");
    part("samples", {{"delivery", "delivery", kind::number},
                     {"died", "dead_at", kind::time},
                     {"type", "event_type"},
                     {"attempts", "attempts", kind::number},
                     {"error", "last_error", kind::last}});
}

void add_start_replay(CLI::App& command, context& shared) {
    const auto options = std::make_shared<start_options>();
    options->which = add_filter_options(command, all_of_them::when_said);
    options->why = add_audit_options(command, asks::for_confirmation);
    command
        .add_option(
            "--canary", options->canary,
            "number of dead letters that run first; the rest runs only if none of them dies again")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--rate", options->rate, "maximum number per second")
        ->check([](const std::string& rate) {
            double value = 0;
            return CLI::detail::lexical_cast(rate, value) && value > 0
                       ? std::string()
                       : "must be a number greater than 0, got " + rate;
        });
    command
        .add_option("--generation", options->generation,
                    "generation to run them in (default: unchanged)")
        ->check(CLI::NonNegativeNumber);
    add_expected_option(command, options->expected);
    command.add_flag("--dry-run", options->dry_run,
                     "only show the dead letters that would be replayed");
    command.add_flag("--wait", options->wait,
                     "wait until the replay has ended and print the outcome");
    command.add_option("--timeout", options->timeout, "maximum time to wait, in seconds")
        ->check(CLI::PositiveNumber);
    command.add_flag("--quiet,-q", options->quiet, "print only the id of the replay");
    command.footer(
        "Shows the selected dead letters, asks for confirmation, and starts. The set is frozen: "
        "messages that\ndie after the preview are not part of it. Workers run the replay; Ctrl-C "
        "ends the waiting, not the\nreplay.\n"
        "Exit codes: 0 all delivered (with --wait) or started, 1 declined, more than expected, "
        "paused or\nsome died again, 64 without --reason, or without --yes and a terminal, 66 no "
        "dead letter matches, "
        "75 --timeout expired.\n\n"
        "Examples:\n"
        "  postrider dead-letters replay --id 42 --reason 'mail server is back'\n"
        "  postrider dead-letters replay --class timeout --canary 5 --rate 50 --wait --reason "
        "'fixed in 2.3'\n"
        "  postrider replay start --handler billing.send_invoice --since 2h --dry-run");
    command.callback([&shared, options] { run_start(shared, *options); });
}

}  // namespace postrider::cli
