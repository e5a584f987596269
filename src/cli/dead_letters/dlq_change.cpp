#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <postrider/error.hpp>

#include "base/check_json.hpp"
#include "base/json.hpp"
#include "cli/dead_letters/dead_filter.hpp"
#include "cli/dead_letters/dlq.hpp"
#include "cli/dead_letters/start_replay.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/replays.hpp"

namespace postrider::cli {
namespace {

struct change_options {
    std::shared_ptr<filter_options> which;
    std::shared_ptr<audit_options> why;
    bool quiet = false;
};

void tell(const context& shared, bool quiet, const char* key, int count, const char* what) {
    if (shared.json) {
        fmt::print("{}\n", json_object().add(key, count).text());
    } else if (!quiet) {
        fmt::print("{} {}\n", counted(count, "dead letter"), what);
    }
}

// Ids that are not there are told by the database; a filter that means nothing is told here.
int some(int count, const char* what) {
    if (count == 0) {
        throw error(errc::message_not_found,
                    std::string(what) +
                        "; `postrider dlq list` with the same options "
                        "shows what there is, with --discarded what was discarded");
    }
    return count;
}

void run_discard(context& shared, const change_options& given) {
    const auto entry = given.why->entry();
    operator_session session(shared);
    const auto filter = given.which->filter(session);
    const auto shown = store::replay_preview(session, filter);
    if (shown.total > 0 && !shared.json && !given.quiet) {
        print_preview(session, shown);
    }
    // None: then the database says what the ids are instead.
    if (shown.total > 0 &&
        !confirmed(*given.why, fmt::format("discard {}?", counted(shown.total, "dead letter")))) {
        shared.exit_code = not_done_exit;
        return;
    }
    tell(shared, given.quiet, "discarded",
         some(store::discard(session, filter, entry), "no dead letter is meant by this"),
         "discarded; `postrider dlq restore` takes them back while retention keeps them");
}

void run_restore(const context& shared, const change_options& given) {
    const auto entry = given.why->entry();
    operator_session session(shared);
    const auto filter = given.which->filter(session);
    tell(shared, given.quiet, "restored",
         some(store::undo_discard(session, filter, entry),
              "no discarded dead letter is meant by this"),
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

std::string headers_json(const std::vector<std::string>& headers) {
    json_object made;
    for (const auto& header : headers) {
        const auto equals = header.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw usage_error("--header is name=value, not '" + header + "'");
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
            fmt::format("message {} has {}; name one by its delivery: postrider dlq show {}", id,
                        counted(rows.size(), "dead letter"), id));
    }
    return std::stoll(std::string(rows.text(0, "delivery_id")));
}

void run_edit(context& shared, const edit_options& given) {
    const auto entry = given.why->entry();
    store::edit change{.delivery = 0};
    if (!given.payload_file.empty()) {
        change.payload = read_payload(given.payload_file);
    }
    if (!given.headers.empty()) {
        change.headers = headers_json(given.headers);
    }
    if (!change.payload && !change.headers) {
        throw usage_error("say what is to be changed: --payload-file or --header");
    }
    operator_session session(shared);
    change.delivery = delivery_of(session, given.id);
    if (!confirmed(*given.why,
                   fmt::format("replace delivery {} by an edited message?", change.delivery))) {
        shared.exit_code = not_done_exit;
        return;
    }
    const auto made = store::edit_and_replay(session, change, entry);
    if (shared.json) {
        fmt::print("{}\n", json_object().add("delivery", change.delivery).add("id", made).text());
    } else if (given.quiet) {
        fmt::print("{}\n", made);
    } else {
        fmt::print("delivery {} is replaced by message {}, which runs now\n", change.delivery,
                   made);
    }
}

std::shared_ptr<change_options> add_change_options(CLI::App& command, asks what) {
    auto given = std::make_shared<change_options>();
    given->which = add_filter_options(command, all_of_them::when_said);
    given->why = add_audit_options(command, what);
    command.add_flag("--quiet,-q", given->quiet, "print nothing");
    return given;
}

}  // namespace

void add_dlq_discard(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("discard", "Set dead letters aside for good");
    const auto given = add_change_options(*command, asks::for_confirmation);
    command->footer(
        "They are listed no more, and removed when the grace of retention is over.\n\n"
        "Example:\n"
        "  postrider dlq discard --id 42 --id 43 --reason 'orders of the load test'");
    command->callback([&shared, given] { run_discard(shared, *given); });
}

void add_dlq_restore(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("restore", "Take discarded dead letters back");
    const auto given = add_change_options(*command, asks::nothing);
    command->footer(
        "Example:\n"
        "  postrider dlq list --discarded\n"
        "  postrider dlq restore --id 42 --reason 'it was a real order'");
    command->callback([&shared, given] { run_restore(shared, *given); });
}

void add_dlq_edit(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand(
        "edit", "Replace a dead letter by a message with another payload, and run that");
    const auto given = std::make_shared<edit_options>();
    command->add_option("id", given->id, "a delivery (a number) or a message (a UUID)")->required();
    command->add_option("--payload-file", given->payload_file, "JSON; - reads standard input");
    command->add_option("--header", given->headers, "name=value, added or replaced")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    given->why = add_audit_options(*command, asks::for_confirmation);
    command->add_flag("--quiet,-q", given->quiet, "print only the id of the new message");
    command->footer(
        "What was published is never rewritten: the new message has an id of its own, names the "
        "old "
        "one in its\nmetadata, and goes to the same handler only. The dead letter is discarded.\n\n"
        "Examples:\n"
        "  postrider dlq show 42 --json | jq .payload > fixed.json    # then correct it\n"
        "  postrider dlq edit 42 --payload-file fixed.json --reason 'amount was a string'");
    command->callback([&shared, given] { run_edit(shared, *given); });
}

}  // namespace postrider::cli
