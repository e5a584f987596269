#include "worker/services/alert_service.hpp"

#include <algorithm>
#include <postrider/error.hpp>

namespace postrider::working {
namespace {

constexpr auto alert_interval = std::chrono::seconds(5);
// While many deliveries fail, and while a target fails.
constexpr auto shortest_interval = std::chrono::seconds(1);
// While a batch does not hold all alerts that are due.
constexpr std::chrono::milliseconds full_interval{100};

bool is_lost(const std::exception& problem) {
    const auto* ours = dynamic_cast<const error*>(&problem);
    return ours == nullptr || ours->connection_lost();
}

// Exactly one of the workers with a sink reports each alert to it: a worker with only the log on
// stderr must not take it.
std::shared_ptr<sink> alert_sink(const worker_context& context) {
    const bool usable = context.options.alerts && !context.threads->environment().only_log;
    return usable ? context.reports : nullptr;
}

std::vector<std::shared_ptr<alert_target>> targets_of(const worker_options& options) {
    return options.alerts ? options.alert_targets : decltype(options.alert_targets){};
}

}  // namespace

alert_service::alert_service(const worker_context& context)
    : desk_(alert_sink(context), targets_of(context.options),
            [pool = context.threads] { pool->wake().set(); }) {}

void alert_service::run(worker_context& context, clock::time_point now) {
    if (std::exchange(context.dead_letters, false)) {
        expect();
    }
    if (desk_.empty()) {
        return;
    }
    try {
        settle(context);
        if (!context.stopping && now >= next_) {
            claim(context, now);
            settle(context);  // the sink has its alerts
            if (trouble_.worked()) {
                context.report(level::info, "alerts_recovered", "alerts are sent again");
            }
        }
    } catch (const std::exception& problem) {
        if (is_lost(problem)) {
            throw;
        }
        // It may have waited for a lock, which delays claims: not at once again.
        if (failed(problem.what(), clock::now())) {
            context.report(level::warning, "alerts_failing",
                           std::string("alerts cannot be sent: ") + problem.what());
        }
    }
}

void alert_service::expect() {
    expected_ = !desk_.empty();
    next_ = std::min<clock::time_point>(next_, last_ + shortest_interval);
}

void alert_service::claimed(int count, clock::time_point now) {
    // A full batch: more alerts are waiting.
    expected_ = count >= alert_desk::batch_max;
    last_ = now;
    next_ = now + (expected_ ? clock::duration(full_interval) : clock::duration(alert_interval));
}

bool alert_service::failed(const std::string& problem, clock::time_point now) {
    next_ = now + alert_interval;
    expected_ = false;
    return trouble_.failed(problem, now);
}

bool alert_service::busy(const worker_context& context) const {
    return expected_ || (context.dead_letters && !desk_.empty()) || desk_.busy();
}

void alert_service::settle(worker_context& context) {
    const auto& results = desk_.results();
    for (const auto& [target, problem] : desk_.take_news()) {
        context.report(problem ? level::warning : level::info,
                       problem ? "alert_target_failing" : "alert_target_recovered",
                       problem ? "alerts cannot be sent to " + target + ": " + *problem
                               : "alerts are sent to " + target + " again");
    }
    if (results.empty()) {
        return;
    }
    const bool failed =
        std::ranges::any_of(results, [](const auto& result) { return result.problem.has_value(); });
    const auto watched = context.watch(context.session());
    store::settle_alerts(context.session(), results);
    desk_.settled();
    // A failed alert can be claimed again after a second at the earliest; other targets are free.
    next_ = std::min<clock::time_point>(next_, last_ + shortest_interval * (failed ? 2 : 1));
}

// The places whose alerts this process may send.
std::vector<store::alert_place> alert_service::sendable(worker_context& context) {
    auto places = store::sendable_places(context.session(), desk_.places());
    desk_.compare(places);
    for (const auto& [target, problem] : desk_.take_conflicts()) {
        context.report(
            problem ? level::warning : level::info,
            problem ? "alert_target_conflict" : "alert_target_agreed",
            problem ? *problem : "this process sends the alerts of the target " + target);
    }
    return places;
}

void alert_service::claim(worker_context& context, clock::time_point now) {
    auto& session = context.session();
    const auto watched = context.watch(session);
    if (!targets_known_) {
        for (const auto& place : desk_.places()) {
            store::add_alert_target(session, place, !targets_introduced_);
        }
        targets_known_ = true;
        targets_introduced_ = true;
    }
    claimed(0, now);
    const auto ready = desk_.ready(sendable(context), now);
    if (ready.empty()) {
        return;
    }
    auto alerts = store::claim_alerts(session, ready, alert_desk::batch_max, desk_.lease());
    claimed(static_cast<int>(alerts.size()), now);
    desk_.push(std::move(alerts));
}

}  // namespace postrider::working
