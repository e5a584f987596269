#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "embedded/interrupted.hpp"

namespace postrider::embedded {

/// PostgreSQL refuses to run as root, so its programs run as this user then.
struct system_user {
    std::string name;
    uid_t uid;
    gid_t gid;
};

/// Nothing unless this process is root; then `postgres` or, without it, `nobody`.
std::optional<system_user> unprivileged_user();

struct command_outcome {
    int status = 0;      ///< exit code, or 128 + signal
    std::string output;  ///< stdout and stderr together
    bool succeeded() const { return status == 0; }
};

/// Runs a program to its end, as `user` when given, in `directory` when given. No shell. It gets a
/// SIGINT when `stop` wants an end.
command_outcome run_command(const std::vector<std::string>& arguments,
                            const std::optional<system_user>& user = std::nullopt,
                            const std::filesystem::path& directory = {},
                            const stop_check& stop = {});

}  // namespace postrider::embedded
