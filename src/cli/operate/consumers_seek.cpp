#include "cli/operate/consumers_seek.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/operators.hpp"
#include "store/reads/surface.hpp"

namespace postrider::cli {
namespace {

struct seek_options {
    store::consumer_name which;
    std::string to;
    bool now = false;
    bool dry_run = false;
    std::shared_ptr<audit_options> why;
};

std::string described(const store::sought& found) {
    return fmt::format("skips {} ({} of them wait) and hands out {} again",
                       counted(found.skipped, "message"), thousands(found.waiting),
                       counted(found.again, "message"));
}

void show_sought(const context& shared, const seek_options& options, const store::sought& found) {
    const auto& [consumer, channel] = options.which;
    if (shared.json) {
        fmt::print("{}\n", json_object()
                               .add("consumer", consumer)
                               .add("channel", channel)
                               .add("dry_run", options.dry_run)
                               .add("skipped", found.skipped)
                               .add("waiting", found.waiting)
                               .add("again", found.again)
                               .text());
    } else {
        fmt::print("{} on {} {}{}\n", printable(consumer), printable(channel), described(found),
                   options.dry_run ? "; nothing was changed" : "");
    }
}

void seek(context& shared, const seek_options& options) {
    if (options.to.empty() != options.now) {
        throw usage_error("give either --to or --now");
    }
    // A dry run is not recorded.
    const auto entry = options.dry_run ? store::audit_entry{} : options.why->entry();
    operator_session session(shared);
    std::optional<std::string> to;
    if (!options.now) {
        to = store::instant_ago(session, options.to);
    }
    const auto preview = store::seek_consumer(session, options.which, to, true, entry);
    if (options.dry_run) {
        show_sought(shared, options, preview);
        return;
    }
    if (!confirmed(*options.why,
                   fmt::format("moving {} on {} {}. Do it?", printable(options.which.consumer),
                               printable(options.which.channel), described(preview)))) {
        shared.exit_code = not_done_exit;
        return;
    }
    show_sought(shared, options, store::seek_consumer(session, options.which, to, false, entry));
}

}  // namespace

void add_consumers_seek(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("seek", "Move a consumer to an instant");
    const auto options = std::make_shared<seek_options>();
    command->add_option("consumer", options->which.consumer, "name of the consumer")->required();
    command->add_option("--channel", options->which.channel, "channel of the consumer")
        ->capture_default_str();
    command->add_option("--to", options->to, "instant, or age: 90m, 2h, 3d");
    command->add_flag("--now", options->now, "skip every message that was published until now");
    command->add_flag("--dry-run", options->dry_run, "print the numbers and change nothing");
    options->why = add_audit_options(*command, asks::for_confirmation);
    command->footer(
        "Unhandled messages before the instant are skipped: they are never delivered. Messages "
        "since then are\ndelivered again, as far as the log has them. Running messages, retries "
        "and dead letters stay.\n\n"
        "Examples:\n"
        "  postrider consumers seek search --to 2h --dry-run\n"
        "  postrider consumers seek search --to 2026-03-01T12:00Z --reason 'index was lost'\n"
        "  postrider consumers seek metrics --now --yes --reason 'old values are of no use'");
    command->callback([&shared, options] { seek(shared, *options); });
}

}  // namespace postrider::cli
