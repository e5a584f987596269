#include "store/operate/erase.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>

#include "base/encoding/uuid.hpp"
#include "base/json/check_json.hpp"
#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/reads/surface.hpp"

namespace postrider::cli {
namespace {

struct erase_options {
    std::vector<std::string> ids;
    std::string idempotency_key;
    std::string ordering_key;
    std::string partition_key;
    std::string workspace;
    std::string payload;
    std::string event_type;
    std::string channel;
    std::string since;
    std::string until;
    bool dry_run = false;
    std::shared_ptr<audit_options> why;
};

// "$.user.id=42", "$.user.mail=jane@example.com": JSON if it is, otherwise a text.
std::string payload_filter(const std::string& text) {
    const auto at = text.find('=');
    if (at == 0 || at == std::string::npos) {
        throw usage_error("--payload must be a path and a value, e.g. '$.user.id=42', got '" +
                          text + "'");
    }
    const auto value = text.substr(at + 1);
    const bool is_json = check_json(value).problem == nullptr;
    return json_object()
        .add("path", text.substr(0, at))
        .add_raw("equals", is_json ? value : json_string(value))
        .text();
}

std::string filter_of(pg::connection& session, const erase_options& options) {
    json_object made;
    if (!options.ids.empty()) {
        json_array all;
        for (const auto& id : options.ids) {
            all.add(uuid::parse(id).text());
        }
        made.add_raw("ids", all.text());
    }
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) {
            made.add(name, value);
        }
    };
    add("idempotency_key", options.idempotency_key);
    add("ordering_key", options.ordering_key);
    add("partition_key", options.partition_key);
    add("workspace_id", options.workspace);
    add("event_type", options.event_type);
    add("channel", options.channel);
    add("since", options.since.empty() ? "" : store::instant_ago(session, options.since));
    add("until", options.until.empty() ? "" : store::instant_ago(session, options.until));
    if (!options.payload.empty()) {
        made.add_raw("payload", payload_filter(options.payload));
    }
    return made.text();
}

void show_erased(const context& shared, const store::erased& found, bool dry_run) {
    if (shared.json) {
        fmt::print("{}\n", json_object()
                               .add("dry_run", dry_run)
                               .add("messages", found.messages)
                               .add("deliveries", found.deliveries)
                               .add("jobs", found.jobs)
                               .text());
        return;
    }
    fmt::print("{} {} and {}; {} waited or ran{}\n", dry_run ? "would erase" : "erased",
               counted(found.messages, "message"), counted(found.deliveries, "delivery record"),
               counted(found.jobs, "job"), dry_run ? "; nothing was changed" : "");
}

void erase_payloads(context& shared, const erase_options& options) {
    const auto entry = options.dry_run ? store::audit_entry{} : options.why->entry();
    operator_session session(shared);
    const auto filter = filter_of(session, options);
    const auto preview = store::erase(session, filter, true, entry);
    if (options.dry_run) {
        show_erased(shared, preview, true);
        return;
    }
    if (!confirmed(*options.why, fmt::format("erase the content of {}? It cannot be undone.",
                                             counted(preview.messages, "message")))) {
        shared.exit_code = not_done_exit;
        return;
    }
    show_erased(shared, store::erase(session, filter, false, entry), false);
}

}  // namespace

void add_erase(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("erase", "Erase the content of messages with personal data");
    const auto options = std::make_shared<erase_options>();
    command->add_option("id", options->ids, "ids of messages");
    command->add_option("--payload", options->payload,
                        "path and value in the payload, e.g. '$.user.id=42'");
    command->add_option("--ordering-key", options->ordering_key, "only with this ordering key");
    command->add_option("--partition-key", options->partition_key, "only with this partition key");
    command->add_option("--idempotency-key", options->idempotency_key,
                        "only with this idempotency key");
    command->add_option("--workspace", options->workspace, "only of this workspace");
    command->add_option("--event-type", options->event_type, "only of this event type");
    command->add_option("--channel", options->channel, "only of this channel");
    command->add_option("--since", options->since,
                        "published at or after this instant, or within: 90m, 2h, 3d");
    command->add_option("--until", options->until, "published before this instant, or longer ago");
    command->add_flag("--dry-run", options->dry_run, "print the numbers and change nothing");
    options->why = add_audit_options(*command, asks::for_confirmation);
    command->footer(
        "Run it as a superuser or a member of postrider_owner. At most 10,000 messages at once. "
        "Jobs that wait\nare never run, running ones are cancelled, and dead letters are "
        "discarded.\n\n"
        "Examples:\n"
        "  postrider erase --payload '$.user.id=42' --dry-run\n"
        "  postrider erase --payload '$.user.mail=jane@example.com' --reason 'request 1234'\n"
        "  postrider erase --ordering-key user:42 --since 30d --yes --reason 'request 1234'\n"
        "  postrider erase 0190a0b4-0000-7000-8000-000000000042 --reason 'request 1234' --json");
    command->callback([&shared, options] { erase_payloads(shared, *options); });
}

}  // namespace postrider::cli
