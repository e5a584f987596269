#include "serve/figures/metrics.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::serve {
namespace {

using nlohmann::json;

double value_of(const json& value) {
    return value.is_boolean() ? static_cast<double>(value.get<bool>()) : value.get<double>();
}

class exposition {
  public:
    void gauge(std::string name, std::string help) {
        families_.push_back({.name = std::move(name),
                             .help = std::move(help),
                             .type = prometheus::MetricType::Gauge,
                             .metric = {}});
    }
    void sample(const json& of, std::initializer_list<const char*> labels, const json& value) {
        prometheus::ClientMetric sample;
        for (const auto* label : labels) {
            const auto& found = of.at(label);
            sample.label.push_back(
                {label, found.is_string() ? found.get<std::string>() : found.dump()});
        }
        sample.gauge.value = value_of(value);
        families_.back().metric.push_back(std::move(sample));
    }
    std::string text() const {
        std::ostringstream text;
        prometheus::TextSerializer().Serialize(text, families_);
        return text.str();
    }

  private:
    std::vector<prometheus::MetricFamily> families_;
};

// Adds a gauge with a sample for each object: its member.
auto gauges_of_consumers(exposition& to, const json& objects) {
    return [&](const char* name, const char* member, const char* help) {
        to.gauge(name, help);
        for (const auto& one : objects) {
            to.sample(one, {"consumer", "channel"}, one.at(member));
        }
    };
}

auto gauges_of_handlers(exposition& to, const json& objects) {
    return [&](const char* name, const char* member, const char* help) {
        to.gauge(name, help);
        for (const auto& one : objects) {
            to.sample(one, {"consumer", "channel", "handler"}, one.at(member));
        }
    };
}

void add_consumers(exposition& to, const json& consumers) {
    const auto each = gauges_of_consumers(to, consumers);
    each("postrider_consumer_backlog", "backlog",
         "messages behind the cursor that are for it; estimated when far");
    each("postrider_consumer_oldest_age_seconds", "oldest_age_s",
         "age of the first message behind the cursor");
    each("postrider_consumer_in_flight", "in_flight", "messages that workers hold");
    each("postrider_consumer_pending", "pending",
         "deliveries that wait; counted up to 50000 or fewer");
    each("postrider_consumer_dead_letters", "failed", "dead letters");
    each("postrider_consumer_delivered_per_s", "delivered_per_s", "messages delivered");
    each("postrider_consumer_failed_per_s", "failed_per_s", "messages that died");
    each("postrider_consumer_workers", "workers", "running workers");
    each("postrider_consumer_paused", "paused", "1 while it is paused");
    each("postrider_consumer_held", "held", "1 while the circuits of all its handlers are open");
}

void add_handlers(exposition& to, const json& handlers) {
    const auto each = gauges_of_handlers(to, handlers);
    each("postrider_handler_dead_letters", "failed", "dead letters");
    each("postrider_handler_pending", "pending", "deliveries that wait");
    each("postrider_handler_failures_in_a_row", "failures_in_a_row",
         "transient failures since the last success");
    to.gauge("postrider_handler_circuit_open", "1 while its circuit is not closed");
    for (const auto& one : handlers) {
        to.sample(one, {"consumer", "channel", "handler"}, one.at("circuit_state") != "closed");
    }
}

void add_replays(exposition& to, const json& replays) {
    to.gauge("postrider_replay_items", "items of active replays, by outcome");
    for (const auto& one : replays) {
        for (const auto* outcome :
             {"waiting", "moved", "delivered", "failed", "skipped", "cancelled"}) {
            to.sample({{"replay", one.at("replay")}, {"outcome", outcome}}, {"replay", "outcome"},
                      one.at(outcome));
        }
    }
}

void add_schedules(exposition& to, const json& schedules) {
    to.gauge("postrider_schedules", "schedules, paused or not");
    for (const auto* paused : {"true", "false"}) {
        const auto count = schedules.at("paused").get<std::int64_t>();
        to.sample({{"paused", paused}}, {"paused"},
                  paused == std::string_view("true")
                      ? count
                      : schedules.at("schedules").get<std::int64_t>() - count);
    }
    to.gauge("postrider_schedule_slots", "slots of the schedules so far, by outcome");
    for (const auto* outcome : {"fired", "late", "skipped"}) {
        to.sample({{"outcome", outcome}}, {"outcome"}, schedules.at(outcome));
    }
    to.gauge("postrider_schedule_overdue_seconds", "time since the oldest unfired slot was due");
    to.sample({}, {}, schedules.at("overdue_s"));
}

void add_ordering(exposition& to, const json& consumers) {
    const auto each = gauges_of_consumers(to, consumers);
    each("postrider_consumer_blocked_keys", "blocked_keys",
         "ordering keys that a retried message or a dead letter blocks; counted up to 10000");
    each("postrider_consumer_followers", "followers",
         "messages that wait behind others of their ordering keys; counted up to 50000 or fewer");
}

void add_limits(exposition& to, const json& handlers) {
    const auto each = gauges_of_handlers(to, handlers);
    each("postrider_limit_running", "running",
         "runs that count for the limit of a handler, while it can bind");
    each("postrider_limit_throttled", "throttled",
         "messages that wait for a limit of their handler; counted up to 50000 or fewer");
}

void add_jobs(exposition& to, const json& jobs) {
    const auto single = [&](const char* name, const char* help, const json& value) {
        to.gauge(name, help);
        to.sample({}, {}, value);
    };
    const auto each = gauges_of_consumers(to, jobs.at("consumers"));
    each("postrider_consumer_unique_keys", "unique_keys",
         "unique keys that jobs hold; counted up to 10000");
    each("postrider_consumer_oldest_run_seconds", "oldest_run_s",
         "time for which a worker has had the message that it has had longest");
    single("postrider_unique_duplicates", "unique jobs not published because their key was held",
           jobs.at("duplicates"));
    single("postrider_jobs_cancelled", "jobs that were cancelled", jobs.at("cancelled"));
    single("postrider_progress_reports", "recorded reports of progress and results",
           jobs.at("reports"));
    const auto& sets = jobs.at("sets");
    single("postrider_sets_open", "sets that have not completed; counted up to 10000",
           sets.at("open"));
    single("postrider_sets_refused", "open sets whose message could not be published",
           sets.at("refused"));
    single("postrider_set_members_open", "members that have not ended; counted up to 50000",
           sets.at("members"));
    single("postrider_set_oldest_age_seconds", "age of the oldest open set", sets.at("oldest_s"));
    to.gauge("postrider_audited_actions", "audited actions of the last hour");
    for (const auto& one : jobs.at("actions")) {
        to.sample(one, {"action"}, one.at("count"));
    }
}

}  // namespace

std::string metrics_text(const std::string& figures, const std::string& handlers,
                         const std::string& replays, const std::string& jobs) {
    const auto seen = json::parse(figures);
    exposition to;
    const auto single = [&](const char* name, const char* help, const json& value) {
        to.gauge(name, help);
        to.sample({}, {}, value);
    };
    const auto& totals = seen.at("totals");
    add_consumers(to, seen.at("consumers"));
    add_handlers(to, json::parse(handlers));
    add_replays(to, json::parse(replays));
    add_schedules(to, seen.at("schedules"));
    add_ordering(to, seen.at("ordering"));
    add_limits(to, seen.at("limits"));
    add_jobs(to, json::parse(jobs));
    single("postrider_published_per_s", "messages published", totals.at("published_per_s"));
    single("postrider_replays_active", "replays that are proposed, running or paused",
           totals.at("replays_active"));
    single("postrider_alerts_unsent", "alerts that are not sent to every target",
           totals.at("alerts_unsent"));
    single("postrider_partitions", "partitions of the log", totals.at("partitions"));
    to.gauge("postrider_doorbell_kept", "1 while a worker keeps the doorbell");
    for (const auto& one : seen.at("doorbells")) {
        to.sample(one, {"channel"}, one.at("kept"));
    }
    to.gauge("postrider_notify_enabled", "1 while producers send NOTIFY");
    for (const auto& one : seen.at("doorbells")) {
        to.sample(one, {"channel"}, one.at("sleeping"));
    }
    single("postrider_notify_queue_usage", "used share of the NOTIFY queue, 0 to 1",
           seen.at("notify").at("queue_usage"));
    single("postrider_notify_commit_waiters",
           "transactions that wait for the commit lock of NOTIFY",
           seen.at("notify").at("commit_waiters"));
    single("postrider_xmin_age_transactions", "age of the oldest held snapshot in transactions",
           seen.at("xmin").at("age_xids"));
    single("postrider_xmin_age_seconds", "age of the oldest held snapshot in seconds",
           seen.at("xmin").at("age_s"));
    single("postrider_sample_duration_seconds", "time to read these figures",
           seen.at("sample_ms").get<double>() / 1000);
    return to.text();
}

}  // namespace postrider::serve
