#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/operators.hpp"
#include "store/reads/views.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

struct handler_list_options {
    std::string consumer;
    std::string handler;
    bool quiet = false;
};

void print_handlers(const context& shared, const handler_list_options& options) {
    operator_session session(shared);
    print_listing(shared, store::handlers(session, options.consumer, options.handler),
                  {{"consumer", "consumer"},
                   {"channel", "channel"},
                   {"handler", "handler"},
                   {"types", "event_types"},
                   {"retry", "retry"},
                   {"attempts", "max_attempts", kind::number},
                   state_column("circuit", "circuit_state", "circuit"),
                   state_column("mode", "circuit_mode", "mode"),
                   {"workers", "workers", kind::number},
                   {"retrying", "pending", kind::number},
                   {"dead", "failed", kind::number},
                   {"circuit error", "circuit_error", kind::last}},
                  {.nothing = "no handlers", .quiet_column = "handler", .quiet = options.quiet});
}

struct handler_change {
    const char* name;
    const char* meaning;
    decltype(&store::hold_handler) perform;
    const char* mode;
    const char* done;
};

void add_handler_change(CLI::App& group, context& shared, const handler_change& how) {
    struct flags {
        store::consumer_name which;
        std::string handler;
    };
    auto* command = group.add_subcommand(how.name, how.meaning);
    const auto options = std::make_shared<flags>();
    command->add_option("consumer", options->which.consumer, "name of the consumer")->required();
    command->add_option("handler", options->handler, "name of the handler")->required();
    command->add_option("--channel", options->which.channel, "channel of the consumer")
        ->capture_default_str();
    const auto why = add_audit_options(*command, asks::nothing);
    command->callback([&shared, options, why, how] {
        const auto entry = why->entry();
        operator_session session(shared);
        how.perform(session, options->which, options->handler, entry);
        if (shared.json) {
            fmt::print("{}\n", json_object()
                                   .add("consumer", options->which.consumer)
                                   .add("channel", options->which.channel)
                                   .add("handler", options->handler)
                                   .add("circuit_mode", how.mode)
                                   .text());
        } else {
            fmt::print("{} {}\n", printable(options->handler), how.done);
        }
    });
}

}  // namespace

void add_handlers(CLI::App& app, context& shared) {
    auto* group = app.add_subcommand("handlers", "List handlers, their policies and circuits");
    const auto options = std::make_shared<handler_list_options>();
    group->add_option("--consumer", options->consumer, "only of this consumer");
    group->add_option("--handler", options->handler, "only this handler");
    group->add_flag("--quiet,-q", options->quiet, "print only the names");
    group->footer(
        "A circuit opens after consecutive failures that are not caused by the messages; then only "
        "a periodic\nprobe runs. hold and force override the circuit, release ends the "
        "override.\n\n"
        "Examples:\n"
        "  postrider handlers\n"
        "  postrider handlers hold billing billing.send_invoice --reason 'mail provider is down'\n"
        "  postrider handlers release billing billing.send_invoice --reason 'it is back'");
    for (const auto& how :
         {handler_change{"hold", "Stop a handler until it is released", store::hold_handler, "held",
                         "is stopped until `postrider handlers release`"},
          handler_change{"release", "Return a handler to its automatic circuit",
                         store::release_handler, "automatic",
                         "is automatic again; a probe runs immediately if it was stopped"},
          handler_change{"force", "Keep the circuit of a handler closed, regardless of failures",
                         store::force_handler, "forced",
                         "runs regardless of failures until `postrider handlers release`"}}) {
        add_handler_change(*group, shared, how);
    }
    group->callback([&shared, group, options] {
        if (group->get_subcommands().empty()) {
            print_handlers(shared, *options);
        }
    });
}

}  // namespace postrider::cli
