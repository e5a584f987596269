#include "cli/operate/consumers_alert.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/operators.hpp"

namespace postrider::cli {
namespace {

struct followers_alert_options {
    store::consumer_name which;
    std::optional<int> followers;
    bool standard = false;
    std::shared_ptr<audit_options> why;
};

void run_followers_alert(const context& shared, const followers_alert_options& options) {
    if (options.followers.has_value() == options.standard) {
        throw usage_error("give a number of followers, or --default");
    }
    const auto entry = options.why->entry();
    operator_session session(shared);
    store::set_followers_alert(session, options.which, options.followers, entry);
    if (shared.json) {
        json_object made;
        made.add("consumer", options.which.consumer).add("channel", options.which.channel);
        made.add("followers_alert", options.followers);
        fmt::print("{}\n", made.text());
    } else {
        fmt::print("{} on {} raises an alert at {}\n", printable(options.which.consumer),
                   printable(options.which.channel),
                   options.followers ? thousands(*options.followers) + " followers of a key"
                                     : "the number of the setting followers_alert");
    }
}

}  // namespace

void add_consumers_alert(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand(
        "followers-alert",
        "Set the number of messages behind an ordering key that raises an alert");
    const auto options = std::make_shared<followers_alert_options>();
    command->add_option("consumer", options->which.consumer, "name of the consumer")->required();
    command->add_option("followers", options->followers, "messages behind the head of one key");
    command->add_flag("--default", options->standard, "use the setting followers_alert");
    command->add_option("--channel", options->which.channel, "channel of the consumer")
        ->capture_default_str();
    options->why = add_audit_options(*command, asks::nothing);
    command->footer(
        "No message is dropped, and other keys are not affected. The alert ends when fewer than "
        "half of\nthe number wait.\n\n"
        "Example:\n"
        "  postrider consumers followers-alert ledger 500 --reason 'few orders per customer'");
    command->callback([&shared, options] { run_followers_alert(shared, *options); });
}

}  // namespace postrider::cli
