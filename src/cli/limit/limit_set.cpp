#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <optional>
#include <postrider/error.hpp>
#include <postrider/limit.hpp>

#include "base/json/json.hpp"
#include "cli/limit/limit.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/terminal_text.hpp"
#include "cli/output/times.hpp"
#include "store/operate/limits.hpp"

namespace postrider::cli {
namespace {

struct limit_set_options {
    store::consumer_name which;
    std::string handler;
    handler_limit limit;
    std::string rate;
    std::optional<int> burst;
    std::string key_rate;
    std::optional<int> key_burst;
    std::vector<std::string> weights;
    bool dry_run = false;
    std::shared_ptr<audit_options> why;
};

int whole_number(std::string_view text, const std::string& message) {
    int value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size()) {
        throw usage_error(message);
    }
    return value;
}

// 100/1m: 100 starts per minute.
std::optional<start_rate> rate_of(std::string_view text, std::optional<int> burst,
                                  const std::string& name) {
    if (text.empty()) {
        return {};
    }
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) {
        throw usage_error(name + " must be starts per period, like 100/1m");
    }
    const int starts =
        whole_number(text.substr(0, slash), name + " must begin with a number, like 100/1m");
    return start_rate{starts, parse_duration(text.substr(slash + 1), name), burst};
}

std::map<std::string, int> weights_of(const std::vector<std::string>& weights) {
    std::map<std::string, int> all;
    for (const auto& weight : weights) {
        const auto equals = weight.rfind('=');
        const std::string refusal = "--weight must be a key and a number, like 7f9c24e8=3";
        if (equals == std::string::npos) {
            throw usage_error(refusal);
        }
        all[weight.substr(0, equals)] = whole_number(weight.substr(equals + 1), refusal);
    }
    return all;
}

handler_limit limit_of(const limit_set_options& options) {
    if ((options.burst && options.rate.empty()) ||
        (options.key_burst && options.key_rate.empty())) {
        throw usage_error("--burst needs --rate, and --key-burst needs --key-rate");
    }
    auto limit = options.limit;
    limit.rate = rate_of(options.rate, options.burst, "--rate");
    limit.key_rate = rate_of(options.key_rate, options.key_burst, "--key-rate");
    limit.weights = weights_of(options.weights);
    return limit;
}

void run_limit_set(const context& shared, const limit_set_options& options) {
    const auto entry = options.dry_run ? store::audit_entry{} : options.why->entry();
    const auto limit = to_json(limit_of(options));
    operator_session session(shared);
    if (options.dry_run) {
        print_limit_preview(shared, options.handler,
                            store::limit_preview(session, options.which, options.handler, limit));
        return;
    }
    const auto result = store::set_limit(session, options.which, options.handler, limit, entry);
    if (shared.json) {
        fmt::print("{}\n",
                   json_object().add("handler", options.handler).add("result", result).text());
    } else {
        fmt::print("the limit of {} is {}\n", printable(options.handler), result);
    }
}

constexpr const char* limit_set_footer =
    "Replaces the previous limit of the handler from the next claim on. No worker needs a "
    "restart.\nMessages of different keys take turns, also without --per-key.\n\n"
    "Examples:\n"
    "  postrider limit set mail mail.send --concurrency 10 --dry-run\n"
    "  postrider limit set mail mail.send --concurrency 10 --reason 'the relay allows ten'\n"
    "  postrider limit set mail mail.send --rate 100/1m --burst 10 --reason 'quota of the relay'\n"
    "  postrider limit set reports reports.make --key workspace_id --per-key 2 \\\n"
    "      --weight 7f9c24e8-3b12-4fef-91e0-56a2d5a0c111=3 --reason 'fair shares'";

}  // namespace

void add_limit_set(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("set", "Limit the runs of a handler");
    const auto options = std::make_shared<limit_set_options>();
    command->add_option("consumer", options->which.consumer, "name of the consumer")->required();
    command->add_option("handler", options->handler, "name of the handler")->required();
    command->add_option("--channel", options->which.channel, "channel of the consumer")
        ->capture_default_str();
    command->add_option("--concurrency", options->limit.concurrency,
                        "runs at once, in all workers");
    command->add_option("--per-worker", options->limit.per_worker, "runs at once in one worker");
    command->add_option("--rate", options->rate, "starts per period: 100/1m");
    command->add_option("--burst", options->burst,
                        "starts of --rate at once (default: those of a period)");
    command->add_option(
        "--key", options->limit.key,
        "key of messages: workspace_id, ordering_key, partition_key, source or event_type");
    command->add_option("--per-key", options->limit.per_key, "runs at once of one key");
    command->add_option("--key-rate", options->key_rate, "starts per period of one key");
    command->add_option("--key-burst", options->key_burst, "starts of --key-rate at once");
    command
        ->add_option("--weight", options->weights,
                     "KEY=N: turns of a key, where others have one; may be repeated")
        ->allow_extra_args(false);
    command->add_flag("--dry-run", options->dry_run, "print the effect and change nothing");
    options->why = add_audit_options(*command, asks::nothing);
    command->footer(limit_set_footer);
    command->callback([&shared, options] { run_limit_set(shared, *options); });
}

}  // namespace postrider::cli
