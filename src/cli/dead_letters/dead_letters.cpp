#include "cli/dead_letters/dead_letters.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <postrider/error.hpp>

#include "cli/commands.hpp"
#include "cli/dead_letters/dead_filter.hpp"
#include "cli/dead_letters/start_replay.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/say.hpp"
#include "cli/output/table.hpp"
#include "store/operate/dead_letters.hpp"
#include "store/reads/views.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

struct dead_letter_list_options {
    std::shared_ptr<filter_options> which;
    std::string after;
    int limit = 50;
    bool discarded = false;
    bool quiet = false;
};

// The end of a page: "<dead_at>/<delivery>".
std::string read_cursor(pg::connection& session, const std::string& text) {
    const auto slash = text.rfind('/');
    std::int64_t delivery = 0;
    if (slash != std::string::npos) {
        const auto* end = text.data() + text.size();
        if (std::from_chars(text.data() + slash + 1, end, delivery).ptr == end) {
            return store::dead_place(store::instant_ago(session, text.substr(0, slash)), delivery);
        }
    }
    throw usage_error("--after must be dead_at/delivery_id of the last row of the previous page");
}

void run_list(const context& shared, const dead_letter_list_options& options) {
    operator_session session(shared);
    const auto filter = options.which->filter(session);
    store::page_request page{.limit = options.limit};
    if (!options.after.empty()) {
        page.after = read_cursor(session, options.after);
    }
    const auto rows = options.discarded ? store::discarded_page(session, filter, page)
                                        : store::dead_page(session, filter, page);
    std::vector<table_column> columns{{"delivery", "delivery_id", kind::number},
                                      {"died", "dead_at", kind::time},
                                      {"handler", "handler"},
                                      {"type", "event_type"},
                                      {"attempts", "attempts", kind::number},
                                      {"class", "error_class"}};
    if (options.discarded) {
        columns.push_back({"discarded", "deleted_at", kind::time});
        columns.push_back({"reason", "deleted_reason", kind::last});
    } else {
        columns.push_back({"error", "last_error", kind::last});
    }
    print_listing(shared, rows, columns,
                  {.nothing = options.discarded ? "no discarded dead letters" : "no dead letters",
                   .quiet_column = "delivery_id",
                   .quiet = options.quiet});
    if (rows.size() == options.limit && !shared.json && !options.quiet) {
        say("next page: --after '{}/{}'\n", rows.place(rows.size() - 1, "dead_at"),
            rows.place(rows.size() - 1, "delivery_id"));
    }
}

}  // namespace

void add_dead_letters_list(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("list", "List dead letters, newest first");
    const auto options = std::make_shared<dead_letter_list_options>();
    options->which = add_filter_options(*command, all_of_them::by_default);
    command->add_option("--limit", options->limit, "maximum number of rows")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_option("--after", options->after,
                        "next page: dead_at/delivery_id of the last row of the previous page");
    command->add_flag("--discarded", options->discarded, "list discarded dead letters instead");
    command->add_flag("--quiet,-q", options->quiet, "print only the delivery ids");
    command->footer(
        "With --json one object per line. Payloads are not listed: `postrider dead-letters "
        "show`.\n\n"
        "Examples:\n"
        "  postrider dead-letters list --handler billing.send_invoice --since 2h\n"
        "  postrider dead-letters list --error 'connection refused' --json | jq .last_error\n"
        "  postrider dead-letters list --discarded");
    command->callback([&shared, options] { run_list(shared, *options); });
}

void add_dead_letters_groups(CLI::App& group, context& shared) {
    struct flags {
        std::string consumer;
        std::string handler;
        int limit = 50;
        bool quiet = false;
    };
    auto* command =
        group.add_subcommand("groups", "Count dead letters by fingerprint, largest group first");
    const auto options = std::make_shared<flags>();
    command->add_option("--consumer", options->consumer, "of this consumer");
    command->add_option("--handler", options->handler, "of this handler");
    command->add_option("--limit", options->limit, "maximum number of groups")
        ->check(CLI::Range(1, 100000));
    command->add_flag("--quiet,-q", options->quiet, "print only the fingerprints");
    command->callback([&shared, options] {
        operator_session session(shared);
        print_listing(
            shared,
            store::dead_letter_groups(session, options->consumer, options->handler, options->limit),
            {{"count", "count", kind::number},
             {"handler", "handler"},
             {"class", "error_class"},
             {"first", "first_seen", kind::time},
             {"last", "last_seen", kind::time},
             {"fingerprint", "fingerprint"},
             {"newest error", "sample_error", kind::last}},
            {.nothing = "no dead letters", .quiet_column = "fingerprint", .quiet = options->quiet});
    });
}

void add_dead_letters(CLI::App& app, context& shared) {
    auto* group =
        app.add_subcommand("dead-letters", "Inspect, replay, edit and discard dead letters")
            ->alias("dlq");
    group->require_subcommand(1);
    group->footer(
        "Examples:\n"
        "  postrider dead-letters groups\n"
        "  postrider dead-letters list --since 2h\n"
        "  postrider dead-letters show 42\n"
        "  postrider dead-letters replay --id 42 --reason 'mail server is back' --wait\n"
        "  postrider dead-letters discard --source load-test --reason 'test data'\n"
        "  postrider dead-letters restore --source load-test --reason 'they were not'\n"
        "  postrider dead-letters edit 42 --payload-file fixed.json --reason 'amount was a "
        "string'");
    add_dead_letters_list(*group, shared);
    add_dead_letters_groups(*group, shared);
    add_dead_letters_show(*group, shared);
    add_dead_letters_export(*group, shared);
    add_start_replay(
        *group->add_subcommand("replay", "Replay the dead letters that a filter selects"), shared);
    add_dead_letters_discard(*group, shared);
    add_dead_letters_restore(*group, shared);
    add_dead_letters_edit(*group, shared);
}

}  // namespace postrider::cli
