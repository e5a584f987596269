#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cli/work/exec/running_commands.hpp"

namespace postrider::cli {

/// After SIGTERM, before SIGKILL.
inline constexpr auto command_grace = std::chrono::seconds(5);

struct command_request {
    std::vector<std::string> arguments = {};    ///< the first is the path of the program
    std::vector<std::string> environment = {};  ///< NAME=VALUE, complete
    std::string_view input = {};
    std::chrono::steady_clock::time_point deadline = {};
    std::stop_token stop = {};
    bool quiet = false;  ///< discard its output
};

struct command_end {
    enum class reason {
        itself,   ///< it exited, or another process killed it
        timeout,  ///< ended at its deadline
        stop      ///< ended by the stop token
    };
    reason why = reason::itself;
    int status = 0;           ///< exit code, if signal is 0
    int signal = 0;           ///< signal that killed it; 0: it exited
    std::string errors = {};  ///< the last part of its stderr, as UTF-8
    int refusal = 0;          ///< errno of a failed execve(), otherwise 0
};

/// Runs a program to its end, blocking the calling thread, in a new process group. To end it, the
/// group receives SIGTERM and, after command_grace, SIGKILL. The program need not read its input.
/// SIGPIPE must be ignored in this process. Throws std::system_error when no process can be
/// started.
command_end run_command(const command_request& asked, running_commands& running);

}  // namespace postrider::cli
