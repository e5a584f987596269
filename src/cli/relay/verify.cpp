#include "cli/relay/verify.hpp"

#include <fmt/core.h>

#include <memory>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/say.hpp"
#include "cli/output/times.hpp"
#include "cli/relay/relay_secrets.hpp"
#include "store/operate/redelivery.hpp"
#ifdef POSTRIDER_WITH_RELAY
#include "relay/stream_audit.hpp"
#endif

namespace postrider::cli {
namespace {

struct verify_options {
    store::consumer_name consumer;
    std::string handler;
    std::string to;
    std::string stream;
    std::string since;
    std::string nats_credentials;
    bool dry_run = false;
    std::shared_ptr<audit_options> why;
};

#ifdef POSTRIDER_WITH_RELAY

// The clocks of database and broker may differ by this much.
constexpr auto clock_slack = std::chrono::minutes(1);

void print(const context& shared, const verify_options& options, std::size_t compared,
           const std::vector<std::string>& lost) {
    if (shared.json) {
        json_array ids;
        for (const auto& one : lost) {
            ids.add(one);
        }
        fmt::print("{}\n", json_object()
                               .add("compared", compared)
                               .add("lost", lost.size())
                               .add("resent", options.dry_run ? 0 : lost.size())
                               .add_raw("ids", ids.text())
                               .text());
        return;
    }
    for (const auto& one : lost) {
        fmt::print("{}\n", one);
    }
    fmt::print("{} messages compared, {} not in stream {}{}\n", compared, lost.size(),
               options.stream,
               lost.empty()      ? ""
               : options.dry_run ? ""
                                 : "; the relay sends them again");
}

void verify_relay(context& shared, const verify_options& options) {
    const auto why = options.dry_run ? store::audit_entry{} : options.why->entry();
    const auto handler =
        options.handler.empty() ? options.consumer.consumer + ".relay" : options.handler;
    const source_options from{.from = choose_relay(shared, options.to),
                              .stream = options.stream,
                              .credentials_file = options.nats_credentials};
    auto since = std::chrono::system_clock::now() - parse_duration(options.since, "--since");
    operator_session session(shared);
    if (const auto begin = relaying::stream_begin(from); begin && *begin > since) {
        since = *begin;
        say("the stream begins later than --since: older messages are not compared\n");
    }
    // The log first: a message that is relayed meanwhile is then in the stream.
    const auto delivered = store::delivered_since(session, options.consumer, handler, since);
    const auto stored = relaying::stream_ids(from, since - clock_slack);
    std::vector<std::string> lost;
    for (const auto& id : delivered) {
        if (!stored.contains(id)) {
            lost.push_back(id);
        }
    }
    if (!options.dry_run) {
        for (const auto& id : lost) {
            store::redeliver(session, id, options.consumer, handler, why);
        }
    }
    print(shared, options, delivered.size(), lost);
}

#else

void verify_relay(context&, const verify_options&) {
    throw usage_error("relay verify requires a build with POSTRIDER_BUILD_RELAY=ON");
}

#endif

}  // namespace

void add_relay_verify(CLI::App& relay, context& shared) {
    auto* command = relay.add_subcommand(
        "verify", "Compare a JetStream stream with the log and send lost messages again");
    command->footer(
        "A broker can lose messages that it has acknowledged: JetStream acknowledges before it has "
        "synced\nto disk. Messages that the relay has delivered and that are not in the stream get "
        "a new\ncycle, and the running relay sends them. --since must be shorter "
        "than the age at which the\nstream removes messages.\n\n"
        "Examples:\n"
        "  postrider relay verify --consumer out --to nats://127.0.0.1:4222 --stream ORDERS \\\n"
        "      --since 1h --reason 'power failure'\n"
        "  postrider relay verify --consumer out --to nats://127.0.0.1:4222 --stream ORDERS \\\n"
        "      --since 1d --dry-run");
    const auto options = std::make_shared<verify_options>();
    command->add_option("--consumer", options->consumer.consumer, "name of the consumer")
        ->required();
    command->add_option("--channel", options->consumer.channel, "channel of the consumer")
        ->capture_default_str();
    command->add_option("--handler", options->handler,
                        "name of the handler (default: <consumer>.relay)");
    command->add_option("--to", options->to, "address of the broker, without credentials");
    command->add_option("--stream", options->stream, "JetStream stream")->required();
    command->add_option("--since", options->since, "maximum age of the messages to compare")
        ->required();
    command->add_option("--nats-credentials", options->nats_credentials,
                        "file with user credentials (JWT and nkey seed)");
    command->add_flag("--dry-run", options->dry_run, "only list lost messages");
    options->why = add_audit_options(*command, asks::nothing);
    command->callback([&shared, options] { verify_relay(shared, *options); });
}

}  // namespace postrider::cli
