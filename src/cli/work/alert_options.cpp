#include "cli/work/alert_options.hpp"

#include <cstdlib>
#include <postrider/error.hpp>
#ifdef POSTRIDER_WITH_SINKS
#include <postrider/sinks.hpp>
#endif

namespace postrider::cli {
namespace {

std::string alert_variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

#ifndef POSTRIDER_WITH_SINKS
[[noreturn]] void refuse(const std::string& feature) {
    throw usage_error(feature + " requires a build with POSTRIDER_BUILD_SINKS=ON");
}
#endif

}  // namespace

void alert_options::add_to(CLI::App& command) {
    command.add_flag("--no-alerts", without, "do not report alerts; other workers do");
    command.add_option("--metrics", metrics,
                       "address of a Prometheus endpoint, for example 127.0.0.1:9464");
}

std::vector<std::shared_ptr<alert_target>> alert_options::targets() const {
    std::vector<std::shared_ptr<alert_target>> all;
    const auto webhook = alert_variable("POSTRIDER_ALERT_WEBHOOK");
    const auto dsn = alert_variable("SENTRY_DSN");
    if (without) {
        return all;
    }
#ifdef POSTRIDER_WITH_SINKS
    if (!webhook.empty()) {
        all.push_back(webhook_target(
            {.url = webhook, .bearer_token = alert_variable("POSTRIDER_ALERT_WEBHOOK_TOKEN")}));
    }
    if (!dsn.empty()) {
        all.push_back(sentry_target({.dsn = dsn,
                                     .environment = alert_variable("SENTRY_ENVIRONMENT"),
                                     .release = alert_variable("SENTRY_RELEASE")}));
    }
#else
    if (!webhook.empty() || !dsn.empty()) {
        refuse("sending alerts");
    }
#endif
    return all;
}

std::shared_ptr<sink> alert_options::with_metrics(std::shared_ptr<sink> log) const {
    if (metrics.empty()) {
        return log;
    }
#ifdef POSTRIDER_WITH_SINKS
    return fan_out(std::move(log), prometheus_sink({.listen = metrics}));
#else
    refuse("--metrics");
#endif
}

}  // namespace postrider::cli
