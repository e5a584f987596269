#include "cli/limit/limit.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/json/json.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/limits.hpp"
#include "store/reads/views.hpp"

namespace postrider::cli {
namespace {

struct limit_list_options {
    std::string consumer;
    bool quiet = false;
};

struct limit_remove_options {
    store::consumer_name which;
    std::string handler;
    bool dry_run = false;
    std::shared_ptr<audit_options> why;
};

void run_limit_remove(const context& shared, const limit_remove_options& options) {
    const auto entry = options.dry_run ? store::audit_entry{} : options.why->entry();
    operator_session session(shared);
    if (options.dry_run) {
        print_limit_preview(shared, options.handler,
                            store::limit_preview(session, options.which, options.handler, {}));
        return;
    }
    store::remove_limit(session, options.which, options.handler, entry);
    if (shared.json) {
        fmt::print("{}\n", json_object().add("removed", options.handler).text());
    } else {
        fmt::print("{} has no limit\n", printable(options.handler));
    }
}

}  // namespace

void print_limit_preview(const context& shared, const std::string& handler,
                         const std::string& preview) {
    if (shared.json) {
        fmt::print("{}\n", preview);
        return;
    }
    const auto found = nlohmann::json::parse(preview);
    const auto result = found["result"].get<std::string>();
    const auto number = [&](const char* name) { return found[name].get<std::int64_t>(); };
    fmt::print("the limit of {} would be {}; nothing was changed\n", printable(handler), result);
    if (found["before"].is_object()) {
        fmt::print("now: {}{}\n", printable_json(found["before"].dump()),
                   found["declared"].get<bool>() ? ", declared by workers" : "");
    }
    fmt::print("{}{}, {} of the consumer in flight, {} throttled\n",
               counted(number("workers"), "worker"),
               found["threads"].is_null() ? std::string()
                                          : " with " + counted(number("threads"), "thread"),
               counted(number("held"), "message"), thousands(number("throttled")));
    if (result != "removed") {
        fmt::print("{}\n", found["binds"].get<bool>()
                               ? "messages beyond the limit wait"
                               : "the running workers have too few threads to reach it");
    }
}

void add_limit(CLI::App& app, context& shared) {
    auto* group = app.add_subcommand("limit", "Concurrency and rate limits of handlers");
    group->require_subcommand(1);
    group->footer(
        "A message that cannot start because of a limit is throttled: it waits, and spends no "
        "attempt.\n\n"
        "Examples:\n"
        "  postrider limit set mail mail.send --concurrency 10 --reason 'the relay allows ten'\n"
        "  postrider limit set mail mail.send --key workspace_id --per-key 2 --rate 100/1m \\\n"
        "      --reason 'no workspace keeps the others waiting'\n"
        "  postrider limit list\n"
        "  postrider limit remove mail mail.send --reason 'a larger relay'");
    add_limit_list(*group, shared);
    add_limit_set(*group, shared);
    add_limit_remove(*group, shared);
}

void add_limit_list(CLI::App& group, context& shared) {
    auto* command =
        group.add_subcommand("list", "List limits, and the messages that they throttle");
    const auto options = std::make_shared<limit_list_options>();
    command->add_option("--consumer", options->consumer, "only of this consumer");
    command->add_flag("--quiet,-q", options->quiet, "print only the names of the handlers");
    command->footer(
        "A limit binds if the consumer's workers have more threads than it allows runs; limits by "
        "key and on\nstarts always bind. Claims ignore a limit that does not bind.\n\n"
        "Example:\n  postrider limit list --consumer mail");
    command->callback([&shared, options] {
        using kind = table_column::kind;
        operator_session session(shared);
        print_listing(shared, store::limits(session, options->consumer),
                      {{"consumer", "consumer"},
                       {"channel", "channel"},
                       {"handler", "handler"},
                       {"binds", "binds", kind::flag},
                       {"running", "running", kind::number},
                       {"throttled", "throttled", kind::number},
                       {"since", "throttled_since", kind::time},
                       {"limit", "definition", kind::last}},
                      {.nothing = "no limits", .quiet_column = "handler", .quiet = options->quiet});
    });
}

void add_limit_remove(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("remove", "Remove the limit of a handler");
    const auto options = std::make_shared<limit_remove_options>();
    command->add_option("consumer", options->which.consumer, "name of the consumer")->required();
    command->add_option("handler", options->handler, "name of the handler")->required();
    command->add_option("--channel", options->which.channel, "channel of the consumer")
        ->capture_default_str();
    command->add_flag("--dry-run", options->dry_run, "print the effect and change nothing");
    options->why = add_audit_options(*command, asks::nothing);
    command->footer(
        "Throttled messages can start at once.\n\n"
        "Example:\n  postrider limit remove mail mail.send --reason 'a larger relay'");
    command->callback([&shared, options] { run_limit_remove(shared, *options); });
}

}  // namespace postrider::cli
