#include "worker/coordinator.hpp"

#include <algorithm>
#include <postrider/error.hpp>

namespace postrider::working {
namespace {

using std::chrono::milliseconds;

std::string channel_of(const worker_options& options) {
    if (!options.channel.empty()) {
        return options.channel;
    }
    return options.generation ? "outbox_gen_" + std::to_string(*options.generation)
                              : "outbox_default";
}

// Waiting does not help against these.
bool is_final(const std::exception& problem) {
    const auto* ours = dynamic_cast<const error*>(&problem);
    return ours != nullptr && !ours->retryable() &&
           (dynamic_cast<const usage_error*>(ours) != nullptr ||
            dynamic_cast<const schema_error*>(ours) != nullptr ||
            ours->code() == errc::permission_denied || ours->sqlstate() == "42883" ||
            ours->sqlstate() == "3F000");
}

}  // namespace

coordinator::coordinator(worker_options options, std::shared_ptr<crew> hands)
    : options_(std::move(options)),
      crew_(std::move(hands)),
      reports_(crew_->environment().reports),
      channel_(channel_of(options_)),
      listener_({options_.database, channel_,
                 std::min(options_.call_timeout, std::max(options_.heartbeat_timeout / 3, milliseconds(500)))},
                crew_->environment().watchdog),
      keeper_({options_.database, channel_, options_.call_timeout}, crew_->environment().watchdog,
              [hands = crew_] { hands->wake().set(); }),
      pace_({options_.concurrency, options_.in_flight_max,
             crew_->environment().handlers.largest_batch()}),
      // One worker of all tells an alert to its sink: one that has only a log must not take it.
      alerts_(options_.alerts && !crew_->environment().only_log ? reports_ : nullptr,
              options_.alerts ? options_.alert_targets : decltype(options_.alert_targets){},
              [hands = crew_] { hands->wake().set(); }),
      due_batches_(crew_->environment().handlers.batches()) {
    crew_->slice_size(pace_.slice_size());
}

void coordinator::run(const first_news& tell) {
    bool told = false;
    while (true) {
        try {
            turn();
        } catch (const std::exception& problem) {
            if (!registered_before_ && !told && is_final(problem)) {
                tell(std::current_exception());
                return;
            }
            in_trouble(problem);
        }
        if (!std::exchange(told, true)) {
            tell(nullptr);
        }
        if (options_.until_idle && !stopping_ && nothing_left(clock::now())) {
            begin_stop(clock::now());
        }
        if (stopped(clock::now())) {
            break;
        }
        try {
            stand_by();
        } catch (const std::exception& problem) {
            in_trouble(problem);
        }
    }
    leave();
}

// One round of everything that is to be done now.
void coordinator::turn() {
    absorb();
    cut_ = false;
    auto now = clock::now();
    if (stops() > 0 && !stopping_) {
        begin_stop(now);
    }
    doubt(now);
    if (!trouble_.over(now)) {
        return;
    }
    if (!session_) {
        connect();
    }
    keep_alive(now);
    if (!listener_.is_open() && !stopping_ && listener_trouble_.over(now)) {
        connect_listener();
    }
    tend_doorbell(now);
    release_waiting(now);
    const bool reported = report_due();
    trade(now, reported);
    take_due(now);
    keep_house(now);
    step_replays(now);
    run_retention(now);
    tend_alerts(now);
    if (trouble_.worked()) {
        say(level::info, "recovered", "the database answers again");
    }
}

void coordinator::absorb() {
    crew_->wake().clear();
    const auto now = clock::now();
    for (auto& done : crew_->take_finished()) {
        pace_.learn(done);
        ledger_.absorb(std::move(done), now);
    }
    crew_->slice_size(pace_.slice_size());
    stuck_ = crew_->stuck_since(now - pace_.stuck_after());
}

void coordinator::in_trouble(const std::exception& problem) {
    const auto* ours = dynamic_cast<const error*>(&problem);
    const bool lost = (ours != nullptr && ours->connection_lost()) ||
                      (session_ && !session_->alive()) || (ours == nullptr && !session_);
    // What does not pass by itself is something about the session, as far as we can help it: a plan
    // of functions that were replaced, a server that became a standby, a worker that somebody
    // removed. connect() puts all of it right, and gives back a claim whose answer was lost here.
    if (lost || ours == nullptr || !ours->retryable()) {
        session_.reset();
    }
    const auto why =
        std::exchange(cut_, false)
            ? std::string("no answer in time, so the connection was given up: ") + problem.what()
            : std::string(problem.what());
    if (trouble_.failed(why, clock::now())) {
        say(level::warning, lost ? "connection_lost" : "database_error", why);
    }
    wish_for_hand(false);  // nothing can be claimed: hands are for what is there
    doubt(clock::now());
}

void coordinator::say(level how, std::string_view state, std::string_view message) const {
    if (!reports_) {
        return;
    }
    try {
        reports_->state_changed(
            {std::chrono::system_clock::now(), how, options_.consumer, state, message});
    } catch (...) {
        // A sink that fails must not stop the worker.
    }
}

void coordinator::measure(std::string_view operation, clock::time_point began) const {
    if (!reports_) {
        return;
    }
    try {
        reports_->figures({.consumer = options_.consumer,
                           .in_flight = ledger_.in_hand(),
                           .running = crew_->running(),
                           .listening = listener_.is_open() && !deaf_,
                           .keeper = keeper_.serving(),
                           .operation = operation,
                           .operation_time = clock::now() - began});
    } catch (...) {
        // As above.
    }
}

pg::watchdog::guard coordinator::watch(const pg::connection& session) {
    return {crew_->environment().watchdog, session, options_.call_timeout, pg::watchdog::urgency::usual,
            &cut_};
}

}  // namespace postrider::working
