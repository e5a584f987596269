#pragma once

#include <chrono>
#include <memory>
#include <postrider/worker.hpp>
#include <string>
#include <vector>

#include "cli/work/exec/run_command.hpp"

namespace postrider::cli {

/// A handler that runs a command for every message: payload on stdin, envelope in the environment.
/// Exit code 0 delivers, 65 (EX_DATAERR) is terminal, everything else fails.
class command_handler {
  public:
    struct settings {
        std::vector<std::string> arguments = {};
        std::chrono::milliseconds timeout = {};
        bool quiet = false;
        bool pass_database = false;
    };
    command_handler(settings chosen, std::shared_ptr<running_commands> running)
        : settings_(std::move(chosen)), running_(std::move(running)) {}

    outcome operator()(const event& message, postrider::context& run) const;

  private:
    outcome outcome_of(const command_end& end) const;

    settings settings_;
    std::shared_ptr<running_commands> running_;
};

}  // namespace postrider::cli
