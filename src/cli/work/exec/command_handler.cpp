#include "cli/work/exec/command_handler.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "cli/work/exec/envelope_variables.hpp"

namespace postrider::cli {
namespace {

constexpr int data_error_exit = 65;  // EX_DATAERR

std::string or_else(const std::string& said, const std::string& otherwise) {
    return said.empty() ? otherwise : said;
}

std::string seconds_text(std::chrono::milliseconds length) {
    return fmt::format("{:g} s", std::chrono::duration<double>(length).count());
}

}  // namespace

outcome command_handler::operator()(const event& message, postrider::context& run) const {
    const auto began = std::chrono::steady_clock::now();
    const command_request asked{
        .arguments = settings_.arguments,
        .environment = envelope_variables(message, run, settings_.pass_database),
        .input = message.payload(),
        .deadline = began + settings_.timeout,
        .stop = run.stop_token(),
        .quiet = settings_.quiet};
    try {
        auto end = run_command(asked, *running_);
        if (end.signal == SIGKILL && running_->killed()) {
            end.why = command_end::reason::stop;
        }
        return outcome_of(end);
    } catch (const std::system_error& problem) {
        // Too many processes or open files: not caused by the message.
        return {outcome_kind::interrupted, problem.what(), "no_process", std::chrono::seconds(1)};
    }
}

// A command that received SIGTERM has not finished its work, regardless of its exit code.
outcome command_handler::outcome_of(const command_end& end) const {
    switch (end.why) {
        case command_end::reason::stop:
            return {outcome_kind::interrupted, "stopped before it finished", "stopped", {}};
        case command_end::reason::timeout:
            return transient("timed out after " + seconds_text(settings_.timeout) +
                                 (end.errors.empty() ? "" : ": " + end.errors),
                             "timeout");
        case command_end::reason::itself:
            break;
    }
    if (end.refusal == E2BIG) {
        // Caused by the message, and a retry would fail in the same way: terminal.
        return terminal(
            "the environment is too large: the headers of the message, with the "
            "worker's own environment, are more than the kernel passes to a program",
            "environment_too_large");
    }
    if (end.signal != 0) {
        return transient(or_else(end.errors, fmt::format("killed by signal {} ({})", end.signal,
                                                         ::strsignal(end.signal))),
                         fmt::format("signal:{}", end.signal));
    }
    if (end.status == 0) {
        return delivered();
    }
    auto said = or_else(end.errors, fmt::format("exited with {}", end.status));
    auto error_class = fmt::format("exit:{}", end.status);
    return end.status == data_error_exit ? terminal(std::move(said), std::move(error_class))
                                         : transient(std::move(said), std::move(error_class));
}

}  // namespace postrider::cli
