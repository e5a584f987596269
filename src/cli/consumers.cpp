#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json.hpp"
#include "cli/commands.hpp"
#include "cli/operating.hpp"
#include "cli/table.hpp"
#include "cli/terminal_text.hpp"
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
                   {"behind since", "behind_since", kind::time}},
                  {.nothing = "no consumers", .quiet_column = "consumer", .quiet = quiet});
}

void add_change(CLI::App& group, context& shared, bool pause) {
    auto* command = group.add_subcommand(
        pause ? "pause" : "resume",
        pause ? "Hand out no more of its messages; nothing is lost" : "Hand them out again");
    const auto which = std::make_shared<store::consumer_name>();
    command->add_option("consumer", which->consumer, "its name")->required();
    command->add_option("--channel", which->channel, "its channel")->capture_default_str();
    const auto why = add_deed_options(*command, asks::nothing);
    command->callback([&shared, which, why, pause] {
        const auto deed = why->deed();
        operator_session session(shared);
        store::pause_consumer(session, *which, pause, deed);
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
        "  postrider consumers resume billing --reason 'moved'");
    add_change(*group, shared, true);
    add_change(*group, shared, false);
    group->callback([&shared, group, given] {
        if (group->get_subcommands().empty()) {
            print_consumers(shared, given->consumer, given->quiet);
        }
    });
}

}  // namespace postrider::cli
