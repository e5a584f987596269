#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <postrider/error.hpp>

#include "base/json/check_json.hpp"
#include "base/json/json.hpp"
#include "cli/dead_letters/dead_filter.hpp"
#include "cli/dead_letters/dead_letters.hpp"
#include "cli/dead_letters/start_replay.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/replays.hpp"

namespace postrider::cli {
namespace {

struct dead_letter_change_options {
    std::shared_ptr<filter_options> which;
    std::shared_ptr<audit_options> why;
    store::expected_count expected;
    bool quiet = false;
};

void tell(const context& shared, bool quiet, const char* key, int count, const char* result) {
    if (shared.json) {
        fmt::print("{}\n", json_object().add(key, count).text());
    } else if (!quiet) {
        fmt::print("{} {}\n", counted(count, "dead letter"), result);
    }
}

// The database reports unknown ids; a filter without a match is reported here.
int some(int count, const char* message) {
    if (count == 0) {
        throw error(
            errc::message_not_found,
            std::string(message) +
                "; check the filter with `postrider dead-letters list`, or with --discarded");
    }
    return count;
}

void run_discard(context& shared, const dead_letter_change_options& options) {
    const auto entry = options.why->entry();
    operator_session session(shared);
    const auto filter = options.which->filter(session);
    const auto shown = store::replay_preview(session, filter);
    if (shown.total > 0 && !shared.json && !options.quiet) {
        print_preview(session, shown);
    }
    // No match: the database reports the state of the ids.
    const bool any = shown.total > 0;
    if (any &&
        !confirmed(*options.why, fmt::format("discard {}?", counted(shown.total, "dead letter")))) {
        shared.exit_code = not_done_exit;
        return;
    }
    tell(shared, options.quiet, "discarded",
         some(store::discard(session, any ? shown.fixed : filter, entry,
                             expected_of(options.expected, shown)),
              "no dead letter matches"),
         "discarded; `postrider dead-letters restore` restores them within the grace period of "
         "retention");
}

void run_restore(const context& shared, const dead_letter_change_options& options) {
    const auto entry = options.why->entry();
    operator_session session(shared);
    const auto filter = options.which->filter(session);
    tell(shared, options.quiet, "restored",
         some(store::restore(session, filter, entry, options.expected),
              "no discarded dead letter matches"),
         "restored");
}

struct edit_options {
    std::string id;
    std::string payload_file;
    std::vector<std::string> headers;
    std::shared_ptr<audit_options> why;
    bool quiet = false;
};

std::string read_payload(const std::string& file) {
    std::string text;
    if (file == "-") {
        text.assign(std::istreambuf_iterator<char>(std::cin), {});
    } else {
        std::ifstream source(file, std::ios::binary);
        if (!source) {
            throw usage_error(file + " cannot be read");
        }
        text.assign(std::istreambuf_iterator<char>(source), {});
    }
    if (const auto found = check_json(text); found.problem != nullptr) {
        throw usage_error(
            fmt::format("{} is not JSON: {} at byte {}", file, found.problem, found.at));
    }
    return text;
}

std::string changed_headers_json(const std::vector<std::string>& headers) {
    json_object made;
    for (const auto& header : headers) {
        const auto equals = header.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw usage_error("--header must be name=value, got '" + header + "'");
        }
        made.add(header.substr(0, equals), header.substr(equals + 1));
    }
    return made.text();
}

std::int64_t delivery_of(pg::connection& session, const std::string& id) {
    require_id(id);
    if (is_delivery(id)) {
        return std::stoll(id);
    }
    const auto rows = store::dead_letters(session, id);
    if (rows.size() != 1) {
        throw error(
            errc::message_not_found,
            fmt::format(
                "message {} has {}; name one by its delivery: postrider dead-letters show {}", id,
                counted(rows.size(), "dead letter"), id));
    }
    return std::stoll(rows.text(0, "delivery_id"));
}

void run_edit(context& shared, const edit_options& options) {
    const auto entry = options.why->entry();
    json_object change;
    if (!options.payload_file.empty()) {
        change.add_raw("payload", read_payload(options.payload_file));
    }
    if (!options.headers.empty()) {
        change.add_raw("headers", changed_headers_json(options.headers));
    }
    if (options.payload_file.empty() && options.headers.empty()) {
        throw usage_error("nothing to change: give --payload-file or --header");
    }
    operator_session session(shared);
    const auto delivery = delivery_of(session, options.id);
    if (!confirmed(*options.why,
                   fmt::format("replace delivery {} by an edited message?", delivery))) {
        shared.exit_code = not_done_exit;
        return;
    }
    const auto made = store::edit_with(session, delivery, change.text(), entry);
    if (shared.json) {
        fmt::print("{}\n", json_object().add("delivery", delivery).add("id", made).text());
    } else if (options.quiet) {
        fmt::print("{}\n", made);
    } else {
        fmt::print("delivery {} is replaced by message {}\n", delivery, made);
    }
}

std::shared_ptr<dead_letter_change_options> add_change_options(CLI::App& command,
                                                               asks confirmation) {
    auto options = std::make_shared<dead_letter_change_options>();
    options->which = add_filter_options(command, all_of_them::when_said);
    options->why = add_audit_options(command, confirmation);
    add_expected_option(command, options->expected);
    command.add_flag("--quiet,-q", options->quiet, "print nothing");
    return options;
}

}  // namespace

void add_dead_letters_discard(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("discard", "Discard dead letters");
    const auto options = add_change_options(*command, asks::for_confirmation);
    command->footer(
        "Discarded dead letters are not listed any more. Retention removes them after its grace "
        "period.\n\n"
        "Example:\n"
        "  postrider dead-letters discard --id 42 --id 43 --reason 'orders of the load test'");
    command->callback([&shared, options] { run_discard(shared, *options); });
}

void add_dead_letters_restore(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("restore", "Restore discarded dead letters");
    const auto options = add_change_options(*command, asks::nothing);
    command->footer(
        "Example:\n"
        "  postrider dead-letters list --discarded\n"
        "  postrider dead-letters restore --id 42 --reason 'it was a real order'");
    command->callback([&shared, options] { run_restore(shared, *options); });
}

void add_dead_letters_edit(CLI::App& group, context& shared) {
    auto* command =
        group.add_subcommand("edit", "Replace a dead letter by an edited message and run it");
    const auto options = std::make_shared<edit_options>();
    command->add_option("id", options->id, "a delivery (a number) or a message (a UUID)")
        ->required();
    command->add_option("--payload-file", options->payload_file, "JSON; - reads standard input");
    command->add_option("--header", options->headers, "header to add or replace")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    options->why = add_audit_options(*command, asks::for_confirmation);
    command->add_flag("--quiet,-q", options->quiet, "print only the id of the new message");
    command->footer(
        "Messages are immutable: the edited message has a new id, names the original in its "
        "metadata, and goes\nto the same handler only. The dead letter is discarded.\n\n"
        "Examples:\n"
        "  postrider dead-letters show 42 --json | jq .payload > fixed.json    # then correct it\n"
        "  postrider dead-letters edit 42 --payload-file fixed.json --reason 'amount was a "
        "string'");
    command->callback([&shared, options] { run_edit(shared, *options); });
}

}  // namespace postrider::cli
