#pragma once

#include <filesystem>
#include <string>

#include "cli/stop_signal.hpp"

namespace postrider::cli::demo {

struct demo_options {
    std::string database = {};
    bool json = false;
    /// "nats" or the address of a NATS server: consumers receive from JetStream. Empty: from the
    /// log.
    std::string broker = {};
    std::filesystem::path broker_directory = {};  ///< data of a private nats-server
};

/// Runs a small shop until the signal: one thread publishes, four consumers handle the messages,
/// failures are simulated and repaired, and a line of totals is printed every second.
void run(const demo_options& options, const stop_signal& stop);

}  // namespace postrider::cli::demo
