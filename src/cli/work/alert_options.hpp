#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/alert.hpp>
#include <postrider/sink.hpp>
#include <string>
#include <vector>

namespace postrider::cli {

/// Where a worker of this program tells alerts and figures besides its log.
struct alert_options {
    bool without = false;
    std::string metrics;

    void add_to(CLI::App& command);
    /// From POSTRIDER_ALERT_WEBHOOK and SENTRY_DSN; the addresses are secrets, so they are never
    /// arguments. Throws error for one that is none.
    std::vector<std::shared_ptr<alert_target>> targets() const;
    /// The sink together with one that serves metrics, when that is asked for.
    std::shared_ptr<sink> with_metrics(std::shared_ptr<sink> log) const;
};

}  // namespace postrider::cli
