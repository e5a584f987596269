#include "worker/check_options.hpp"

#include <postrider/error.hpp>
#include <utility>

#include "client/publish/schedule_definition.hpp"
#include "pg/conninfo.hpp"
#include "worker/runs/handlers.hpp"

namespace postrider::working {
namespace {

using std::chrono::milliseconds;

void require_between(const char* name, int value, int least, int most) {
    if (value < least || value > most) {
        throw usage_error(std::string(name) + " must be between " + std::to_string(least) +
                          " and " + std::to_string(most) + ", got " + std::to_string(value));
    }
}

void require_within(const char* name, milliseconds value, milliseconds least, milliseconds most) {
    if (value < least || value > most) {
        throw usage_error(std::string(name) + " must be between " + std::to_string(least.count()) +
                          " ms and " + std::to_string(most.count() / 3'600'000) + " hours, got " +
                          std::to_string(value.count()) + " ms");
    }
}

}  // namespace

void check(const worker_options& options) {
    pg::check_conninfo(options.database);
    require_text(options.consumer, "the consumer's name");
    require_text(options.channel, "the channel's name");
    if (options.consumer.empty()) {
        throw usage_error("a worker works for a consumer: give it a name, for example \"billing\"");
    }
    if (options.source && (options.generation || !options.channel.empty())) {
        throw usage_error(
            "a worker with a source works on the channel broker: leave out channel and generation");
    }
    if (options.source && options.ordering && options.ordering->text() != "none") {
        throw usage_error(
            "a worker with a source does not order messages: leave out ordering, and compare "
            "versions in the handler");
    }
    require_between("concurrency", options.concurrency, 1, 1000);
    require_between("batch_max", options.batch_max, 1, 10'000);
    if (options.in_flight_max < 1) {
        throw usage_error("in_flight_max must be at least 1, got " +
                          std::to_string(options.in_flight_max));
    }
    require_within("heartbeat_timeout", options.heartbeat_timeout, std::chrono::seconds(1),
                   std::chrono::hours(24));
    require_within("sweep", options.sweep, milliseconds(1), timeout_max);
    require_within("poll", options.poll, milliseconds(1), timeout_max);
    require_within("call_timeout", options.call_timeout, milliseconds(1), timeout_max);
    require_within("shutdown_timeout", options.shutdown_timeout, milliseconds(0), timeout_max);
    for (const auto& one : options.schedules) {
        client::schedule_definition(one);  // throws for one that cannot be defined
    }
}

}  // namespace postrider::working
