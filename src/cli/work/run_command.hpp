#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cli/work/running_commands.hpp"

namespace postrider::cli {

/// After SIGTERM, before SIGKILL.
inline constexpr auto command_grace = std::chrono::seconds(5);

struct command_request {
    std::vector<std::string> arguments = {};    ///< the first one is the path of a program
    std::vector<std::string> environment = {};  ///< NAME=VALUE, all of it
    std::string_view input = {};
    std::chrono::steady_clock::time_point deadline = {};
    std::stop_token stop = {};
    bool quiet = false;  ///< keep what it prints from our stderr
};

struct command_end {
    enum class reason {
        itself,   ///< it exited, or somebody else killed it
        timeout,  ///< it was ended at its deadline
        stop      ///< it was ended because of the stop token
    };
    reason why = reason::itself;
    int status = 0;           ///< exit code; of no meaning when there is a signal
    int signal = 0;           ///< that killed it, 0 when it exited
    std::string errors = {};  ///< the end of what it wrote to stderr, as UTF-8
    int refusal = 0;          ///< errno when the kernel refused to run the program, else 0
};

/// Runs a program to its end, on the calling thread, in a process group of its own. A program that
/// must end gets SIGTERM, then, after command_grace, SIGKILL, with its group. Whether it reads its
/// input is its own affair. SIGPIPE must be ignored in this process. Throws std::system_error when
/// there are no means to start anything.
command_end run_command(const command_request& asked, running_commands& running);

}  // namespace postrider::cli
