#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/work/alert_options.hpp"

namespace postrider::cli {

struct context;
void add_relay(CLI::App& app, context& shared);

/// The options of `postrider relay`.
struct relay_command {
    std::string consumer;
    std::vector<std::string> event_types;
    std::string to;
    std::string destination;
    std::string handler;
    int concurrency = 4;
    int batch = 500;
    std::string timeout = "10s";
    std::string retry = "exponential";
    std::optional<int> max_attempts;
    std::string max_age;
    std::vector<std::string> terminal_classes;
    std::vector<std::string> transient_classes;
    std::string probe_after = "5s";
    std::size_t max_bytes = std::size_t{1} << 20;
    std::string nats_credentials;
    std::string dedupe_for = "1d";
    std::string keep_for = "0s";
    std::string webhook_secrets;
    bool allow_private_addresses = false;
    std::optional<std::int64_t> generation;
    std::string channel;
    std::string deployment;
    std::string heartbeat_timeout = "30s";
    std::string ordering;
    bool from_beginning = false;
    bool once = false;
    alert_options alerts;

    void add_to(CLI::App& command);
    /// Throws CLI::RequiredError. Not required(): its subcommand has options of its own.
    void check() const;

  private:
    void add_consuming(CLI::App& command);
    void add_publishing(CLI::App& command);
    void add_failing(CLI::App& command);
};

}  // namespace postrider::cli
