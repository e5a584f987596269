#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json.hpp"
#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operators.hpp"

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
                   {"pending", "pending", kind::number},
                   {"dead", "failed", kind::number},
                   {"behind since", "behind_since", kind::time},
                   {"owner", "owner"}},
                  {.nothing = "no consumers", .quiet_column = "consumer", .quiet = quiet});
}

void add_change(CLI::App& group, context& shared, bool pause) {
    auto* command = group.add_subcommand(
        pause ? "pause" : "resume",
        pause ? "Hand out no more of its messages; nothing is lost" : "Hand them out again");
    const auto which = std::make_shared<store::consumer_name>();
    command->add_option("consumer", which->consumer, "its name")->required();
    command->add_option("--channel", which->channel, "its channel")->capture_default_str();
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

void run_remove(context& shared, const remove_options& given) {
    const auto entry = given.why->entry();
    operator_session session(shared);
    if (!confirmed(*given.why,
                   fmt::format("remove consumer {} on {}{}?", printable(given.which.consumer),
                               printable(given.which.channel),
                               given.owed ? ", with everything it is still owed" : ""))) {
        shared.exit_code = not_done_exit;
        return;
    }
    const auto went = store::remove_consumer(session, given.which, given.owed, entry);
    if (shared.json) {
        fmt::print("{}\n", json_object()
                               .add("consumer", given.which.consumer)
                               .add("channel", given.which.channel)
                               .add("pending", went.pending)
                               .add("failed", went.failed)
                               .text());
    } else {
        fmt::print("{} on {} is removed; {} pending and {} went with it\n",
                   printable(given.which.consumer), printable(given.which.channel),
                   thousands(went.pending), counted(went.failed, "dead letter"));
    }
}

void add_remove(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand(
        "remove", "Forget a consumer that nobody works for, with its deliveries and dead letters");
    const auto given = std::make_shared<remove_options>();
    command->add_option("consumer", given->which.consumer, "its name")->required();
    command->add_option("--channel", given->which.channel, "its channel")->capture_default_str();
    command->add_flag("--owed", given->owed, "also when it is still owed messages");
    given->why = add_audit_options(*command, asks::for_confirmation);
    command->footer(
        "It holds back no partition of the log from then on. There is no way back: a consumer of\n"
        "that name begins with what is published from then on.\n\n"
        "Examples:\n"
        "  postrider consumers remove trial --reason 'it was a trial'\n"
        "  postrider consumers remove billing-old --owed --yes --reason 'billing does it all'");
    command->callback([&shared, given] { run_remove(shared, *given); });
}

struct transfer_options {
    std::string consumer;
    std::string role;
    std::shared_ptr<audit_options> why;
};

void add_transfer(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand(
        "transfer", "Give a consumer to another database role, on every channel");
    const auto given = std::make_shared<transfer_options>();
    command->add_option("consumer", given->consumer, "its name")->required();
    command->add_option("--to", given->role, "the role whose members may work for it")->required();
    given->why = add_audit_options(*command, asks::nothing);
    command->footer(
        "Workers of users who are not members of the role are refused from their next call on.\n\n"
        "Example:\n"
        "  postrider consumers transfer billing --to billing_service --reason 'logins rotate'");
    command->callback([&shared, given] {
        const auto entry = given->why->entry();
        operator_session session(shared);
        store::transfer_consumer(session, given->consumer, given->role, entry);
        if (shared.json) {
            fmt::print(
                "{}\n",
                json_object().add("consumer", given->consumer).add("owner", given->role).text());
        } else {
            fmt::print("{} belongs to {}\n", printable(given->consumer), printable(given->role));
        }
    });
}

}  // namespace

void add_consumers(CLI::App& app, context& shared) {
    struct options {
        std::string consumer;
        bool quiet = false;
    };
    auto* group = app.add_subcommand("consumers", "List consumers and how far behind they are");
    const auto given = std::make_shared<options>();
    group->add_option("--consumer", given->consumer, "only this one");
    group->add_flag("--quiet,-q", given->quiet, "print only their names");
    group->footer(
        "Examples:\n"
        "  postrider consumers\n"
        "  postrider consumers pause billing --reason 'their database is being moved'\n"
        "  postrider consumers resume billing --reason 'moved'\n"
        "  postrider consumers remove trial --reason 'it was a trial'\n"
        "  postrider consumers transfer billing --to billing_service --reason 'logins rotate'");
    add_change(*group, shared, true);
    add_change(*group, shared, false);
    add_remove(*group, shared);
    add_transfer(*group, shared);
    group->callback([&shared, group, given] {
        if (group->get_subcommands().empty()) {
            print_consumers(shared, given->consumer, given->quiet);
        }
    });
}

}  // namespace postrider::cli
