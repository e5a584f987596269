#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "embedded/interrupted.hpp"

namespace postrider::embedded {

/// PostgreSQL refuses to run as root: this is the user it runs as then, `postgres` or, without it,
/// `nobody`. Nothing unless this process is root.
std::optional<system_user> unprivileged_user();

struct command_outcome {
    int status = 0;      ///< exit code, or 128 + signal; 126: the program cannot be run
    std::string output;  ///< stdout and stderr together, or the reason for 126
    bool succeeded() const { return status == 0; }
};

/// Runs a program to its end, as `user` when given, in `directory` when given. No shell. It gets a
/// SIGINT when `stop` returns true.
command_outcome run_command(const std::vector<std::string>& arguments,
                            const std::optional<system_user>& user = std::nullopt,
                            const std::filesystem::path& directory = {},
                            const stop_check& stop = {});

}  // namespace postrider::embedded
