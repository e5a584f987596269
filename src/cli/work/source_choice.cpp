#include "cli/work/source_choice.hpp"

#include <cstdlib>
#include <postrider/error.hpp>

#include "cli/output/times.hpp"
#ifdef POSTRIDER_WITH_RELAY
#include <postrider/relay.hpp>
#endif

namespace postrider::cli {
namespace {

constexpr const char* variable = "POSTRIDER_SOURCE";

}  // namespace

void source_choice::add_to(CLI::App& command) {
    command.add_option("--source", from,
                       "broker to receive from instead of the log: nats://host:4222, "
                       "redis://host:6379/0, kafka://host:9092 or pgmq:; with credentials: "
                       "POSTRIDER_SOURCE");
    command.add_option("--stream", stream,
                       "--source: stream of JetStream or Redis, topic of Kafka, queue of pgmq");
    command.add_option(
        "--group", group,
        "--source: durable consumer of NATS, group of Redis or Kafka (default: the consumer)");
    command.add_option("--subject", subject,
                       "--source: NATS subjects of a new group (default: all of the stream)");
    command
        .add_option("--redeliver-after", redeliver_after,
                    "--source: time after which the broker hands out messages of a lost worker")
        ->capture_default_str();
    command.add_option("--nats-credentials", nats_credentials,
                       "--source: file with NATS user credentials (JWT and nkey seed)");
}

std::shared_ptr<source> source_choice::make(const std::string& consumer,
                                            const std::string& database) const {
    const char* configured = std::getenv(variable);
    auto address = from.empty() && configured != nullptr ? std::string(configured) : from;
    if (address.empty()) {
        if (!stream.empty() || !group.empty() || !subject.empty()) {
            throw usage_error("--stream, --group and --subject need a --source");
        }
        return nullptr;
    }
#ifdef POSTRIDER_WITH_RELAY
    if (!from.empty() && relay_has_credentials(from)) {
        throw usage_error(std::string("--source must not contain credentials: set ") + variable);
    }
    return broker_source({.from = std::move(address),
                          .stream = stream,
                          .database = database,
                          .group = group.empty() ? consumer : group,
                          .subject = subject,
                          .redeliver_after = parse_duration(redeliver_after, "--redeliver-after"),
                          .credentials_file = nats_credentials});
#else
    throw usage_error("this build has no sources: it was built without relays");
#endif
}

}  // namespace postrider::cli
