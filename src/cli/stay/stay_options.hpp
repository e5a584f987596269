#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <postrider/sink.hpp>
#include <string>

#include "cli/stay/child_host.hpp"

namespace postrider::cli {

/// The options of `work --stay`.
struct stay_options {
    std::string command;
    int children = 2;
    int in_flight = 64;

    void add_to(CLI::App& command_line);
    bool chosen() const { return !command.empty(); }
    /// Throws usage_error.
    void check() const;
};

struct stay_work {
    std::string consumer = {};
    std::string handler = {};
    std::chrono::milliseconds timeout = {};
    bool pass_database = false;
    std::shared_ptr<postrider::sink> reports = {};
    std::function<void(int child, std::string_view line)> stderr_line = {};  ///< none: discarded
};

/// The children of `work --stay`, not started.
std::shared_ptr<child_host> make_child_host(const stay_options& options, stay_work work,
                                            std::shared_ptr<running_commands> running);
/// Threads of the worker: one for each message that the children run at once, and one per child for
/// its next messages.
int threads_for(const stay_options& options, const child_hello& hello);

/// A child may extend its timeout repeatedly, so the worker's own timeout is at least this long.
inline constexpr auto stay_run_max = std::chrono::hours(24);

}  // namespace postrider::cli
