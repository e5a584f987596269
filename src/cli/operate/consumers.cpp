#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/operate/consumers_alert.hpp"
#include "cli/operate/consumers_seek.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/operators.hpp"
#include "store/reads/views.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

void print_consumers(const context& shared, const std::string& consumer, bool quiet) {
    operator_session session(shared);
    print_listing(shared, store::consumers(session, consumer),
                  {{"consumer", "consumer"},
                   {"channel", "channel"},
                   {"paused", "paused", kind::flag},
                   {"held", "held", kind::flag},
                   {"handlers", "handlers", kind::number},
                   {"workers", "workers", kind::number},
                   {"leased", "leased", kind::number},
                   {"retrying", "pending", kind::number},
                   {"dead", "failed", kind::number},
                   {"behind since", "behind_since", kind::time},
                   {"owner", "owner"}},
                  {.nothing = "no consumers", .quiet_column = "consumer", .quiet = quiet});
}

void add_pause_change(CLI::App& group, context& shared, bool pause) {
    auto* command = group.add_subcommand(pause ? "pause" : "resume",
                                         pause ? "Stop delivery to a consumer; no message is lost"
                                               : "Resume delivery to a consumer");
    const auto which = std::make_shared<store::consumer_name>();
    command->add_option("consumer", which->consumer, "name of the consumer")->required();
    command->add_option("--channel", which->channel, "channel of the consumer")
        ->capture_default_str();
    const auto why = add_audit_options(*command, asks::nothing);
    command->callback([&shared, which, why, pause] {
        const auto entry = why->entry();
        operator_session session(shared);
        store::pause_consumer(session, *which, pause, entry);
        if (shared.json) {
            fmt::print("{}\n", json_object()
                                   .add("consumer", which->consumer)
                                   .add("channel", which->channel)
                                   .add("paused", pause)
                                   .text());
        } else {
            fmt::print("{} on {} {}\n", printable(which->consumer), printable(which->channel),
                       pause ? "is paused" : "goes on");
        }
    });
}

struct remove_options {
    store::consumer_name which;
    bool owed = false;
    std::shared_ptr<audit_options> why;
};

void run_remove(context& shared, const remove_options& options) {
    const auto entry = options.why->entry();
    operator_session session(shared);
    if (!confirmed(*options.why,
                   fmt::format("remove consumer {} on {}{}?", printable(options.which.consumer),
                               printable(options.which.channel),
                               options.owed ? ", with its unhandled messages" : ""))) {
        shared.exit_code = not_done_exit;
        return;
    }
    const auto went = store::remove_consumer(session, options.which, options.owed, entry);
    if (shared.json) {
        fmt::print("{}\n", json_object()
                               .add("consumer", options.which.consumer)
                               .add("channel", options.which.channel)
                               .add("pending", went.pending)
                               .add("failed", went.failed)
                               .text());
    } else {
        fmt::print("{} on {} is removed, with {} retrying deliveries and {}\n",
                   printable(options.which.consumer), printable(options.which.channel),
                   thousands(went.pending), counted(went.failed, "dead letter"));
    }
}

void add_remove(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand(
        "remove",
        "Remove a consumer without running workers, with its deliveries and dead letters");
    const auto options = std::make_shared<remove_options>();
    command->add_option("consumer", options->which.consumer, "name of the consumer")->required();
    command->add_option("--channel", options->which.channel, "channel of the consumer")
        ->capture_default_str();
    command->add_flag("--owed", options->owed, "remove it even if it has unhandled messages");
    options->why = add_audit_options(*command, asks::for_confirmation);
    command->footer(
        "Retention can then drop partitions that the consumer held back. This cannot be undone: a "
        "new consumer\nof the same name starts with messages published after it is created.\n\n"
        "Examples:\n"
        "  postrider consumers remove trial --reason 'it was a trial'\n"
        "  postrider consumers remove billing-old --owed --yes --reason 'billing does it all'");
    command->callback([&shared, options] { run_remove(shared, *options); });
}

struct transfer_options {
    std::string consumer;
    std::string role;
    std::shared_ptr<audit_options> why;
};

void add_transfer(CLI::App& group, context& shared) {
    auto* command =
        group.add_subcommand("transfer", "Change the owner of a consumer, on every channel");
    const auto options = std::make_shared<transfer_options>();
    command->add_option("consumer", options->consumer, "name of the consumer")->required();
    command->add_option("--to", options->role, "database role whose members may run its workers")
        ->required();
    options->why = add_audit_options(*command, asks::nothing);
    command->footer(
        "Calls of workers whose user is not a member of the role fail from then on.\n\n"
        "Example:\n"
        "  postrider consumers transfer billing --to billing_service --reason 'logins rotate'");
    command->callback([&shared, options] {
        const auto entry = options->why->entry();
        operator_session session(shared);
        store::transfer_consumer(session, options->consumer, options->role, entry);
        if (shared.json) {
            fmt::print("{}\n", json_object()
                                   .add("consumer", options->consumer)
                                   .add("owner", options->role)
                                   .text());
        } else {
            fmt::print("{} belongs to {}\n", printable(options->consumer),
                       printable(options->role));
        }
    });
}

}  // namespace

void add_consumers(CLI::App& app, context& shared) {
    struct flags {
        std::string consumer;
        bool quiet = false;
    };
    auto* group = app.add_subcommand("consumers", "List consumers and their lag");
    const auto options = std::make_shared<flags>();
    group->add_option("--consumer", options->consumer, "only this consumer");
    group->add_flag("--quiet,-q", options->quiet, "print only the names");
    group->footer(
        "Examples:\n"
        "  postrider consumers\n"
        "  postrider consumers pause billing --reason 'their database is being moved'\n"
        "  postrider consumers resume billing --reason 'moved'\n"
        "  postrider consumers remove trial --reason 'it was a trial'\n"
        "  postrider consumers transfer billing --to billing_service --reason 'logins rotate'\n"
        "  postrider consumers seek search --to 2h --dry-run\n"
        "  postrider consumers followers-alert ledger 500 --reason 'few orders per customer'");
    add_pause_change(*group, shared, true);
    add_pause_change(*group, shared, false);
    add_remove(*group, shared);
    add_transfer(*group, shared);
    add_consumers_seek(*group, shared);
    add_consumers_alert(*group, shared);
    group->callback([&shared, group, options] {
        if (group->get_subcommands().empty()) {
            print_consumers(shared, options->consumer, options->quiet);
        }
    });
}

}  // namespace postrider::cli
