// What the coordinator does beside the messages: alerts, replays, retention. Nothing of it may hold
// up a claim or a report: each call is small, and its failure ends nothing else.
#include <algorithm>
#include <cmath>
#include <postrider/error.hpp>

#include "store/maintain.hpp"
#include "store/replays.hpp"
#include "worker/coordinator.hpp"

namespace postrider::working {
namespace {

using std::chrono::milliseconds;

constexpr auto alerts_every = std::chrono::seconds(5);
// While much fails, and while a target does: how often to ask at most.
constexpr auto alerts_at_most_every = std::chrono::seconds(1);
// Of a replay, or of retention, at once: more would keep messages waiting.
constexpr int replay_batch = 200;
constexpr int retention_batch = 1000;
// A replay with a rate is not moved one by one.
constexpr auto replay_step_every = milliseconds(100);
constexpr auto replays_every = std::chrono::seconds(10);
// Retention that does not keep up may have this part of the time.
constexpr int retention_share = 5;
constexpr double queue_worrying = 0.01;
constexpr double queue_alarming = 0.25;

bool is_lost(const std::exception& problem) {
    const auto* ours = dynamic_cast<const error*>(&problem);
    return ours == nullptr || ours->connection_lost();
}

}  // namespace

// Something died, or may have.
void coordinator::expect_alerts() {
    alerts_stale_ = !alerts_.empty();
    next_alerts_ = std::min(next_alerts_, last_alerts_ + alerts_at_most_every);
}

void coordinator::tend_alerts(clock::time_point now) {
    if (alerts_.empty()) {
        return;
    }
    try {
        settle_alerts();
        if (!stopping_ && now >= next_alerts_) {
            claim_alerts(now);
            settle_alerts();  // the sink has been told
            if (alert_trouble_.worked()) {
                say(level::info, "alerts_recovered", "alerts are sent again");
            }
        }
    } catch (const std::exception& problem) {
        if (is_lost(problem)) {
            throw;
        }
        next_alerts_ = now + alerts_every;
        alerts_stale_ = false;
        if (alert_trouble_.failed(problem.what(), now)) {
            say(level::warning, "alerts_failing",
                std::string("alerts cannot be sent: ") + problem.what());
        }
    }
}

void coordinator::settle_alerts() {
    const auto& results = alerts_.results();
    for (const auto& [target, problem] : alerts_.take_news()) {
        say(problem ? level::warning : level::info,
            problem ? "alert_target_failing" : "alert_target_recovered",
            problem ? "alerts cannot be sent to " + target + ": " + *problem
                    : "alerts are sent to " + target + " again");
    }
    if (results.empty()) {
        return;
    }
    const bool failed =
        std::ranges::any_of(results, [](const auto& result) { return result.problem.has_value(); });
    const auto watched = watch(session());
    store::settle_alerts(session(), results);
    alerts_.settled();
    // What failed comes back after a second, or later; whoever was busy can take more.
    next_alerts_ = std::min(next_alerts_, last_alerts_ + alerts_at_most_every * (failed ? 2 : 1));
}

// The places whose alerts this process may send.
std::vector<store::alert_place> coordinator::sendable_alerts() {
    auto sendable = store::sendable_places(session(), alerts_.places());
    alerts_.compare(sendable);
    for (const auto& [target, problem] : alerts_.take_conflicts()) {
        say(problem ? level::warning : level::info,
            problem ? "alert_target_conflict" : "alert_target_agreed",
            problem ? *problem : "this process sends the alerts of the target " + target);
    }
    return sendable;
}

void coordinator::claim_alerts(clock::time_point now) {
    const auto watched = watch(session());
    if (!alert_targets_known_) {
        for (const auto& place : alerts_.places()) {
            store::add_alert_target(session(), place, !alert_targets_introduced_);
        }
        alert_targets_known_ = true;
        alert_targets_introduced_ = true;
    }
    last_alerts_ = now;
    next_alerts_ = now + alerts_every;
    alerts_stale_ = false;
    const auto ready = alerts_.ready(sendable_alerts(), now);
    if (ready.empty()) {
        return;
    }
    auto claimed = store::claim_alerts(session(), ready, alert_desk::batch_max, alerts_.lease());
    // Much died at once: on with it, as far as nobody has to wait.
    alerts_stale_ = static_cast<int>(claimed.size()) >= alert_desk::batch_max;
    if (alerts_stale_) {
        next_alerts_ = now + alerts_at_most_every;
    }
    alerts_.push(std::move(claimed));
}

// Whoever moves a replay goes on with it; the others look now and then whether somebody does.
void coordinator::step_replays(clock::time_point now) {
    if (stopping_ || now < next_replay_) {
        return;
    }
    const auto watched = watch(session());
    const auto began = clock::now();
    next_replay_ = now + replays_every;
    const auto steps = store::replay_step(session(), {}, replay_batch);
    const auto after = clock::now();
    for (const auto& step : steps) {
        due_stale_ = due_stale_ || step.moved > 0;
        if (step.again_in) {
            const bool at_once = step.again_in->count() == 0;
            next_replay_ = std::min(
                next_replay_,
                after + (at_once ? clock::duration::zero()
                                 : std::max<clock::duration>(*step.again_in, replay_step_every)));
        }
    }
    if (!steps.empty()) {
        measure("replay_step", began);
    }
}

void coordinator::run_retention(clock::time_point now) {
    if (stopping_ || now < next_retention_) {
        return;
    }
    const auto watched = watch(session());
    const auto began = clock::now();
    next_retention_ = clock::time_point::max();  // until the next maintain
    const bool more = store::retention_run(session(), retention_batch);
    measure("retention_run", began);
    if (more) {
        const auto after = clock::now();
        next_retention_ = after + std::max<clock::duration>((after - began) * retention_share,
                                                            alerts_at_most_every / 10);
    }
}

// Only somebody who listens inside of a transaction makes it grow.
void coordinator::watch_notifications(double usage) {
    if (reports_) {
        try {
            reports_->figures({.consumer = options_.consumer,
                               .in_flight = ledger_.in_hand(),
                               .running = crew_->running(),
                               .listening = listener_.is_open() && !deaf_,
                               .keeper = keeper_.serving(),
                               .notification_queue = usage});
        } catch (...) {
            // A sink that fails must not stop the worker.
        }
    }
    const auto now = usage >= queue_alarming   ? level::error
                     : usage >= queue_worrying ? level::warning
                                               : level::info;
    if (std::exchange(queue_level_, now) == now) {
        return;
    }
    if (now == level::info) {
        say(now, "notification_queue_drained",
            "the server's queue of notifications is empty again");
    } else {
        say(now, "notification_queue_filling",
            "the server's queue of notifications is " + std::to_string(std::lround(usage * 100)) +
                " % full: a session listens inside of a long transaction; when it is full nobody "
                "can publish");
    }
}

}  // namespace postrider::working
