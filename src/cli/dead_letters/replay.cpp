#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <optional>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/dead_letters/follow_replay.hpp"
#include "cli/dead_letters/start_replay.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/replays.hpp"
#include "store/reads/views.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

struct status_options {
    std::int64_t replay = 0;
    std::string items;
    int limit = 100;
    std::optional<int> timeout;
    bool wait = false;
};

void print_items(const context& shared, pg::connection& session, const status_options& options) {
    const auto outcome = options.items == "all" ? "" : options.items;
    print_listing(
        shared, store::replay_items(session, options.replay, outcome, {}, {.limit = options.limit}),
        {{"number", "number", kind::number},
         {"delivery", "delivery_id", kind::number},
         {"message", "id"},
         state_column("outcome", "outcome", "item"),
         {"ended", "ended_at", kind::time},
         {"note", "note", kind::last}},
        {.nothing = "no such items"});
}

void print_standing(const store::listing& row, const store::replay_standing& now) {
    fmt::print("replay    {}, {}\n", row.text(0, "replay"), now.phase);
    fmt::print("outcome   {}\n", outcome_line(now));
    fmt::print("{:<9} {} by {}\n", now.phase == "proposed" ? "proposed" : "started",
               time_text(row.text(0, "started_at")), printable(row.text(0, "actor")));
    fmt::print("reason    {}\n", printable(row.text(0, "reason")));
    fmt::print("filter    {}\n", printable(row.text(0, "filter")));
    const auto option = [&](const char* title, std::string_view column) {
        if (row.has(0, column)) {
            fmt::print("{:<9} {}\n", title, printable(row.text(0, column)));
        }
    };
    option("paused", "paused_reason");
    option("approved", "approved_by");
    if (now.phase == "proposed") {
        fmt::print("until     {}\n", time_text(row.text(0, "expires_at")));
    }
    if (row.text(0, "canary") != "0") {
        fmt::print("canary    {}, {}\n", row.text(0, "canary"),
                   row.text(0, "canary_passed") == "true" ? "passed" : "not passed");
    }
    option("per sec.", "rate");
    option("to gen.", "generation");
    if (row.has(0, "ended_at")) {
        fmt::print("ended     {}\n", time_text(row.text(0, "ended_at")));
    }
}

void run_status(context& shared, const status_options& options) {
    operator_session session(shared);
    if (options.wait) {
        const auto timeout =
            options.timeout ? std::optional(std::chrono::seconds(*options.timeout)) : std::nullopt;
        shared.exit_code = follow_replay(shared, session, options.replay, timeout);
        return;
    }
    const auto now = store::replay_status(session, options.replay);
    if (!options.items.empty()) {
        print_items(shared, session, options);
        return;
    }
    const auto row = store::replay(session, options.replay);
    if (shared.json) {
        fmt::print("{}\n", printable_json(row.json(0)));
        return;
    }
    print_standing(row, now);
    if (now.phase == "proposed") {
        fmt::print("\n");
        print_preview(session, store::replay_proposal(session, options.replay));
        fmt::print(
            "`postrider replay approve {0} --reason …` starts it, `postrider replay cancel {0} "
            "--reason …` rejects it\n",
            options.replay);
    }
}

// CLI11 would clamp a number that is out of range.
std::string fits(const std::string& text) {
    std::int64_t number = 0;
    const auto* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc{} && read.ptr == end ? "" : "'" + text + "' is not a replay id";
}

void add_number(CLI::App& command, std::int64_t& replay) {
    command.add_option("replay", replay, "id of the replay")->required()->check(fits);
}

void add_replay_status(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("status", "Show the progress of a replay");
    const auto options = std::make_shared<status_options>();
    add_number(*command, options->replay);
    command->add_option("--items", options->items, "list the items with this outcome instead")
        ->check(CLI::IsMember(
            {"all", "waiting", "moved", "delivered", "failed", "skipped", "cancelled"}));
    command->add_option("--limit", options->limit, "maximum number of items")
        ->check(CLI::Range(1, 1000000));
    command->add_flag("--wait", options->wait,
                      "run the replay until it has ended and print the outcome");
    command->add_option("--timeout", options->timeout, "maximum time to wait, in seconds")
        ->check(CLI::PositiveNumber);
    command->callback([&shared, options] { run_status(shared, *options); });
}

void add_replay_list(CLI::App& group, context& shared) {
    struct flags {
        bool active = false;
        bool proposed = false;
        int limit = 20;
    };
    auto* command = group.add_subcommand("list", "List replays, newest first");
    const auto options = std::make_shared<flags>();
    auto* active = command->add_flag("--active", options->active,
                                     "only replays that are proposed, running or paused");
    command->add_flag("--proposed", options->proposed, "only replays that wait for approval")
        ->excludes(active);
    command->add_option("--limit", options->limit, "maximum number of replays")
        ->check(CLI::Range(1, 1000000));
    command->callback([&shared, options] {
        const auto which = options->active     ? store::which_replays::active
                           : options->proposed ? store::which_replays::proposed
                                               : store::which_replays::all;
        operator_session session(shared);
        print_listing(shared, store::replays(session, which, {}, {.limit = options->limit}),
                      {{"replay", "replay", kind::number},
                       state_column("phase", "phase", "replay"),
                       {"started", "started_at", kind::time},
                       {"total", "total", kind::number},
                       {"delivered", "delivered", kind::number},
                       {"died again", "failed", kind::number},
                       {"skipped", "skipped", kind::number},
                       {"by", "actor"},
                       {"reason", "reason", kind::last}},
                      {.nothing = "no replays"});
    });
}

void run_approve(context& shared, std::int64_t replay, const audit_options& why) {
    const auto entry = why.entry();
    operator_session session(shared);
    const auto shown = store::replay_proposal(session, replay);
    if (!shared.json && !why.yes && shown.total > 0) {
        print_preview(session, shown);
        std::fflush(stdout);
    }
    if (!confirmed(why, fmt::format("replay {}?", counted(shown.total, "dead letter")))) {
        shared.exit_code = not_done_exit;
        return;
    }
    store::replay_approve(session, replay, entry);
    store::replay_step(session, replay);
    const auto now = store::replay_status(session, replay);
    if (shared.json) {
        fmt::print("{}\n", json_object().add("replay", replay).add("phase", now.phase).text());
    } else {
        fmt::print("replay {0} has started; `postrider replay status {0} --wait` follows it\n",
                   replay);
    }
}

void add_approve(CLI::App& group, context& shared) {
    auto* command =
        group.add_subcommand("approve", "Start a replay that another person has proposed");
    const auto replay = std::make_shared<std::int64_t>(0);
    add_number(*command, *replay);
    const auto why = add_audit_options(*command, asks::for_confirmation);
    command->footer(
        "The set is the one in the proposal, without dead letters that were replayed or discarded "
        "since.\n`postrider replay cancel` rejects the proposal.\n\n"
        "Example:\n  postrider replay approve 3 --reason 'the mail server is back'");
    command->callback([&shared, replay, why] { run_approve(shared, *replay, *why); });
}

using change_function = void (*)(pg::connection&, std::int64_t, const store::audit_entry&);

struct replay_change {
    const char* name;
    const char* meaning;
    const char* done;
    change_function call;
};

void add_replay_change(CLI::App& group, context& shared, const replay_change& which) {
    auto* command = group.add_subcommand(which.name, which.meaning);
    const auto replay = std::make_shared<std::int64_t>(0);
    add_number(*command, *replay);
    const auto why = add_audit_options(*command, asks::nothing);
    command->callback([&shared, replay, why, which] {
        const auto entry = why->entry();
        operator_session session(shared);
        which.call(session, *replay, entry);
        const auto now = store::replay_status(session, *replay);
        if (shared.json) {
            fmt::print("{}\n", json_object().add("replay", *replay).add("phase", now.phase).text());
        } else {
            fmt::print("replay {} {}: {}\n", *replay, which.done, outcome_line(now));
        }
    });
}

}  // namespace

void add_replay(CLI::App& app, context& shared) {
    auto* group = app.add_subcommand("replay", "Replay many dead letters and follow the progress");
    group->require_subcommand(1);
    group->footer(
        "Examples:\n"
        "  postrider replay start --handler billing.send_invoice --canary 5 --reason 'fixed in "
        "2.3'\n"
        "  postrider replay list --active\n"
        "  postrider replay list --proposed\n"
        "  postrider replay approve 4 --reason 'looked at it'\n"
        "  postrider replay status 3 --wait\n"
        "  postrider replay status 3 --items failed\n"
        "  postrider replay pause 3 --reason 'database is slow'");
    add_start_replay(
        *group->add_subcommand("start", "Start a replay (same as `postrider dead-letters replay`)"),
        shared);
    add_replay_status(*group, shared);
    add_replay_list(*group, shared);
    add_approve(*group, shared);
    for (const auto& which :
         {replay_change{"pause", "Pause a replay; items already moved continue to run", "is paused",
                        store::replay_pause},
          replay_change{"resume", "Resume a paused replay", "goes on", store::replay_resume},
          replay_change{"cancel", "End a replay or reject a proposal; items not moved stay dead",
                        "is cancelled", store::replay_cancel}}) {
        add_replay_change(*group, shared, which);
    }
}

}  // namespace postrider::cli
