#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/stay/stay_options.hpp"
#include "cli/work/alert_options.hpp"
#include "cli/work/source_choice.hpp"

namespace postrider::cli {

/// The command line of `work`.
struct work_options {
    std::string consumer;
    std::vector<std::string> event_types;
    std::string shell_command;
    std::vector<std::string> program;
    std::string handler;
    std::optional<int> concurrency;
    stay_options stay;
    std::string timeout = "5m";
    std::string retry = "exponential";
    std::optional<int> max_attempts;
    std::string max_age;
    std::vector<std::string> terminal_classes;
    std::vector<std::string> transient_classes;
    std::optional<std::int64_t> generation;
    std::string channel;
    source_choice source;
    std::string deployment;
    std::string ordering;
    std::string shutdown_timeout = "30s";
    std::string heartbeat_timeout = "30s";
    bool from_beginning = false;
    bool once = false;
    bool quiet = false;
    bool pass_database = false;
    alert_options alerts;
};

/// Runs a worker until a signal comes or, with --once, no message is left.
void run_work(context& shared, const work_options& options);

}  // namespace postrider::cli
