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

struct list_options {
    std::string consumer;
    std::string handler;
    bool quiet = false;
};

void print_handlers(const context& shared, const list_options& given) {
    operator_session session(shared);
    print_listing(shared, store::handlers(session, given.consumer, given.handler),
                  {{"consumer", "consumer"},
                   {"channel", "channel"},
                   {"handler", "handler"},
                   {"types", "event_type_list"},
                   {"retry", "retry"},
                   {"attempts", "max_attempts", kind::number},
                   {"circuit", "circuit_state"},
                   {"mode", "circuit_mode"},
                   {"workers", "workers", kind::number},
                   {"pending", "pending", kind::number},
                   {"dead", "failed", kind::number},
                   {"last error of the circuit", "circuit_error", kind::last}},
                  {.nothing = "no handlers", .quiet_column = "handler", .quiet = given.quiet});
}

struct change {
    const char* name;
    const char* meaning;
    const char* mode;
    const char* done;
};

void add_change(CLI::App& group, context& shared, const change& how) {
    struct options {
        store::consumer_name which;
        std::string handler;
    };
    auto* command = group.add_subcommand(how.name, how.meaning);
    const auto given = std::make_shared<options>();
    command->add_option("consumer", given->which.consumer, "the consumer it belongs to")
        ->required();
    command->add_option("handler", given->handler, "its name")->required();
    command->add_option("--channel", given->which.channel, "the consumer's channel")
        ->capture_default_str();
    const auto why = add_audit_options(*command, asks::nothing);
    command->callback([&shared, given, why, how] {
        const auto entry = why->entry();
        operator_session session(shared);
        store::set_circuit(session, given->which, given->handler, how.mode, entry);
        if (shared.json) {
            fmt::print("{}\n", json_object()
                                   .add("consumer", given->which.consumer)
                                   .add("channel", given->which.channel)
                                   .add("handler", given->handler)
                                   .add("circuit_mode", how.mode)
                                   .text());
        } else {
            fmt::print("{} {}\n", printable(given->handler), how.done);
        }
    });
}

}  // namespace

void add_handlers(CLI::App& app, context& shared) {
    auto* group = app.add_subcommand("handlers", "List handlers, their policies and circuits");
    const auto given = std::make_shared<list_options>();
    group->add_option("--consumer", given->consumer, "only of this consumer");
    group->add_option("--handler", given->handler, "only this one");
    group->add_flag("--quiet,-q", given->quiet, "print only their names");
    group->footer(
        "A circuit opens when a handler fails in a row for reasons that are not the messages'; "
        "then "
        "nothing of it\nruns but a probe now and then. hold, force and release overrule it.\n\n"
        "Examples:\n"
        "  postrider handlers\n"
        "  postrider handlers hold billing billing.send_invoice --reason 'mail provider is down'\n"
        "  postrider handlers release billing billing.send_invoice --reason 'it is back'");
    for (const auto& how :
         {change{"hold", "Run nothing of it until it is released", "open",
                 "is held: nothing of it runs until `postrider handlers release`"},
          change{"release", "Let its failures decide again", "automatic",
                 "is released; a held one is probed at once"},
          change{"force", "Run it, however often it fails", "closed",
                 "runs however often it fails, until `postrider handlers release`"}}) {
        add_change(*group, shared, how);
    }
    group->callback([&shared, group, given] {
        if (group->get_subcommands().empty()) {
            print_handlers(shared, *given);
        }
    });
}

}  // namespace postrider::cli
