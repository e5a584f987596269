#include "cli/dead_letters/dlq.hpp"

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
#include "store/dead_letters.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

struct list_options {
    std::shared_ptr<filter_options> which;
    std::string after;
    int limit = 50;
    bool discarded = false;
    bool quiet = false;
};

// "<dead_at>/<delivery>": where a page ended.
void read_cursor(const std::string& text, store::dead_letter_page& page) {
    const auto slash = text.rfind('/');
    std::int64_t delivery = 0;
    if (slash != std::string::npos) {
        const auto* end = text.data() + text.size();
        if (std::from_chars(text.data() + slash + 1, end, delivery).ptr == end) {
            page.after = text.substr(0, slash);
            page.after_delivery = delivery;
            return;
        }
    }
    throw usage_error("--after is what the page before ended with: dead_at/delivery_id");
}

void run_list(const context& shared, const list_options& given) {
    operator_session session(shared);
    store::dead_letter_page page{.filter = given.which->filter(session), .limit = given.limit};
    if (!given.after.empty()) {
        read_cursor(given.after, page);
        page.after = store::instant_ago(session, *page.after);
    }
    const auto rows =
        given.discarded ? store::discarded_page(session, page) : store::dead_page(session, page);
    std::vector<table_column> columns{{"delivery", "delivery_id", kind::number},
                                      {"died", "dead_at", kind::time},
                                      {"handler", "handler"},
                                      {"type", "event_type"},
                                      {"attempts", "attempts", kind::number},
                                      {"class", "error_class"}};
    if (given.discarded) {
        columns.push_back({"discarded", "deleted_at", kind::time});
        columns.push_back({"reason", "deleted_reason", kind::last});
    } else {
        columns.push_back({"error", "last_error", kind::last});
    }
    print_listing(shared, rows, columns,
                  {.nothing = given.discarded ? "nothing is discarded" : "no dead letters",
                   .quiet_column = "delivery_id",
                   .quiet = given.quiet});
    if (rows.size() == given.limit && !shared.json && !given.quiet) {
        say("for more: --after '{}/{}'\n", rows.text(rows.size() - 1, "dead_at"),
            rows.text(rows.size() - 1, "delivery_id"));
    }
}

}  // namespace

void add_dlq_list(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("list", "List dead letters, the newest first");
    const auto given = std::make_shared<list_options>();
    given->which = add_filter_options(*command, all_of_them::by_default);
    command->add_option("--limit", given->limit, "so many at once")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_option("--after", given->after,
                        "the next page: dead_at/delivery_id of the last one of this page");
    command->add_flag("--discarded", given->discarded, "those that were discarded instead");
    command->add_flag("--quiet,-q", given->quiet, "print only the numbers of the deliveries");
    command->footer(
        "With --json one object per line. Payloads are not listed: `postrider dlq show`.\n\n"
        "Examples:\n"
        "  postrider dlq list --handler billing.send_invoice --since 2h\n"
        "  postrider dlq list --error 'connection refused' --json | jq .last_error\n"
        "  postrider dlq list --discarded");
    command->callback([&shared, given] { run_list(shared, *given); });
}

void add_dlq_groups(CLI::App& group, context& shared) {
    struct options {
        std::string consumer;
        std::string handler;
        int limit = 50;
        bool quiet = false;
    };
    auto* command =
        group.add_subcommand("groups", "Count dead letters that died of the same, most first");
    const auto given = std::make_shared<options>();
    command->add_option("--consumer", given->consumer, "of this consumer");
    command->add_option("--handler", given->handler, "of this handler");
    command->add_option("--limit", given->limit, "so many")->check(CLI::Range(1, 100000));
    command->add_flag("--quiet,-q", given->quiet, "print only the fingerprints");
    command->callback([&shared, given] {
        operator_session session(shared);
        print_listing(
            shared,
            store::dead_letter_groups(session, given->consumer, given->handler, given->limit),
            {{"count", "count", kind::number},
             {"handler", "handler"},
             {"class", "error_class"},
             {"first", "first_seen", kind::time},
             {"last", "last_seen", kind::time},
             {"fingerprint", "fingerprint"},
             {"the newest error", "sample_error", kind::last}},
            {.nothing = "no dead letters", .quiet_column = "fingerprint", .quiet = given->quiet});
    });
}

void add_dlq(CLI::App& app, context& shared) {
    auto* group = app.add_subcommand("dlq", "Look at dead letters and put them right");
    group->require_subcommand(1);
    group->footer(
        "Examples:\n"
        "  postrider dlq groups\n"
        "  postrider dlq list --since 2h\n"
        "  postrider dlq show 42\n"
        "  postrider dlq replay --id 42 --reason 'mail server is back' --wait\n"
        "  postrider dlq discard --source load-test --reason 'test data'\n"
        "  postrider dlq restore --source load-test --reason 'they were not'\n"
        "  postrider dlq edit 42 --payload-file fixed.json --reason 'amount was a string'");
    add_dlq_list(*group, shared);
    add_dlq_groups(*group, shared);
    add_dlq_show(*group, shared);
    add_start_replay(
        *group->add_subcommand("replay", "Run dead letters again, all that a filter means"),
        shared);
    add_dlq_discard(*group, shared);
    add_dlq_restore(*group, shared);
    add_dlq_edit(*group, shared);
}

}  // namespace postrider::cli
