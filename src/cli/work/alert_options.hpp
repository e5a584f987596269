#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/alert.hpp>
#include <postrider/sink.hpp>
#include <string>
#include <vector>

namespace postrider::cli {

/// The alert targets and the metrics endpoint of a worker, in addition to its log.
struct alert_options {
    bool without = false;
    std::string metrics;

    void add_to(CLI::App& command);
    /// From POSTRIDER_ALERT_WEBHOOK and SENTRY_DSN; the addresses are secrets, therefore not
    /// arguments. Throws error for an invalid address.
    std::vector<std::shared_ptr<alert_target>> targets() const;
    /// The sink, combined with a metrics endpoint if --metrics is set.
    std::shared_ptr<sink> with_metrics(std::shared_ptr<sink> log) const;
};

}  // namespace postrider::cli
