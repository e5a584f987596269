#include "cli/demo_worker.hpp"

#include <algorithm>
#include <postrider/error.hpp>

#include "store/deliveries.hpp"
#include "store/doorbell.hpp"
#include "store/maintain.hpp"
#include "store/settle.hpp"
#include "store/workers.hpp"

namespace postrider::cli::demo {
namespace {

using namespace std::chrono_literals;

constexpr const char* channel = "outbox_default";
constexpr int batch_size = 20;
// Impatient, so that a visitor sees retries and dead letters within seconds.
constexpr const char* retry = R"({"curve": "exponential", "base_ms": 500, "cap_ms": 5000})";
constexpr int attempts = 3;

}  // namespace

worker::worker(const std::string& database, const std::string& consumer,
               std::vector<handler> handlers, tally& counts, const stop_signal& stop)
    : session_(database), handlers_(std::move(handlers)), counts_(counts), stop_(stop) {
    store::worker_registration registration{.worker = id_, .consumer = consumer, .handlers = {}};
    for (const auto& one : handlers_) {
        registration.handlers.push_back({.name = one.name,
                                         .event_types = {one.event_type},
                                         .retry = retry,
                                         .max_attempts = attempts});
    }
    store::register_worker(session_, registration);
    store::prepare_exchange(session_);
    session_.listen(channel);
}

void worker::run() {
    while (!stopping()) {
        keep_house();
        const bool found_new = work_log();
        const bool found_due = work_due();
        if (!found_new && !found_due) {
            sleep();
        }
    }
    store::unregister_worker(session_, id_);
}

// First attempts: a lease over a piece of the log.
bool worker::work_log() {
    const auto batch = store::exchange(session_, {.worker = id_, .limit = batch_size});
    if (batch.empty()) {
        return batch.parked() > 0;
    }
    std::vector<std::int64_t> delivered;
    std::vector<store::failure> failures;
    for (int i = 0; i < batch.size() && !stopping(); ++i) {
        const auto message = batch[i];
        const auto how = handle(message.event_type());
        if (how == store::outcome::delivered) {
            delivered.push_back(message.seq());
        } else {
            failures.push_back({.seq = message.seq(),
                                .how = how,
                                .error = handler_for(message.event_type()).error});
        }
    }
    if (store::settle(session_, id_, batch.held_lease(), delivered, failures) ==
        store::settlement::open) {
        store::release(session_, id_, batch.held_lease());
    }
    counts_.delivered += static_cast<std::int64_t>(delivered.size());
    return true;
}

// Further attempts: each is a delivery with a life of its own.
bool worker::work_due() {
    const auto due = store::claim_due(session_, {.worker = id_, .limit = batch_size});
    std::vector<store::delivery_outcome> outcomes;
    for (int i = 0; i < due.size(); ++i) {
        const auto how = handle(due[i].event_type());
        outcomes.push_back({.delivery_id = due[i].delivery_id(),
                            .lease_token = due[i].lease_token(),
                            .how = how,
                            .error = how == store::outcome::delivered
                                         ? std::nullopt
                                         : std::optional(handler_for(due[i].event_type()).error)});
    }
    if (!outcomes.empty()) {
        for (const auto& [delivery, result] : store::settle_due(session_, id_, outcomes)) {
            counts_.delivered += result == store::delivery_result::delivered ? 1 : 0;
        }
    }
    return !due.empty();
}

// Only the keeper's sleep makes publications ring, and they ring for everybody who listens. The
// bell stays held: in so quiet a shop every sale may ring.
void worker::sleep() {
    if (!bell_held_ && store::doorbell_keep(session_, channel)) {
        bell_held_ = store::doorbell_sleep(session_, channel) == store::sleep_answer::asleep;
        return;  // something may have come before the bell was held: look once more
    }
    const auto due = store::next_due(session_, id_).value_or(1s);
    session_.wait_notification(
        std::chrono::ceil<std::chrono::milliseconds>(std::min<std::chrono::microseconds>(due, 1s)),
        stop_.descriptor());
}

void worker::keep_house() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_housekeeping_) {
        return;
    }
    next_housekeeping_ = now + 10s;
    store::heartbeat(session_, id_);
    store::reap(session_);
    store::maintain(session_);
}

store::outcome worker::handle(std::string_view event_type) {
    const auto& one = handler_for(event_type);
    const auto luck = dice_() % 1000;
    if (luck < one.refusals_per_thousand) {
        return store::outcome::terminal;
    }
    return luck < one.refusals_per_thousand + one.failures_per_thousand ? store::outcome::failed
                                                                        : store::outcome::delivered;
}

const handler& worker::handler_for(std::string_view event_type) const {
    const auto found = std::ranges::find(handlers_, event_type, &handler::event_type);
    if (found == handlers_.end()) {
        throw error(errc::handler_not_found, "nobody handles " + std::string(event_type));
    }
    return *found;
}

}  // namespace postrider::cli::demo
