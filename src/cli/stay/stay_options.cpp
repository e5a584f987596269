#include "cli/stay/stay_options.hpp"

#include <algorithm>
#include <postrider/error.hpp>
#include <utility>

#include "cli/work/exec/envelope_variables.hpp"

namespace postrider::cli {
namespace {

constexpr int children_max = 256;
constexpr int in_flight_max = 10'000;
constexpr int threads_max = 1024;

void require_between(const char* option, int value, int most) {
    if (value < 1 || value > most) {
        throw usage_error(std::string(option) + " must be between 1 and " + std::to_string(most) +
                          ", got " + std::to_string(value));
    }
}

}  // namespace

void stay_options::add_to(CLI::App& command_line) {
    command_line.add_option("--stay", command,
                            "command line, run by /bin/sh, that stays and speaks the child "
                            "protocol on stdin and stdout");
    command_line.add_option("--children", children, "with --stay: number of child processes")
        ->capture_default_str();
    command_line
        .add_option("--in-flight", in_flight,
                    "with --stay: maximum number of messages in a child, waiting ones included")
        ->capture_default_str();
}

void stay_options::check() const {
    require_between("--children", children, children_max);
    require_between("--in-flight", in_flight, in_flight_max);
}

std::shared_ptr<child_host> make_child_host(const stay_options& options, stay_work work,
                                            std::shared_ptr<running_commands> running) {
    const auto report = [reports = work.reports, consumer = work.consumer](
                            level how, std::string_view state, const std::string& text) {
        state_record record;
        record.at = std::chrono::system_clock::now();
        record.level = how;
        record.consumer = consumer;
        record.state = state;
        record.message = text;
        reports->state_changed(record);
    };
    return std::make_shared<child_host>(
        child_host::settings{.arguments = {"/bin/sh", "-c", options.command},
                             .environment = command_environment(work.pass_database),
                             .consumer = std::move(work.consumer),
                             .handler = std::move(work.handler),
                             .children = options.children,
                             .in_flight_max = options.in_flight,
                             .timeout = work.timeout,
                             .stderr_line = std::move(work.stderr_line),
                             .report = report},
        std::move(running));
}

int threads_for(const stay_options& options, const child_hello& hello) {
    const int at_once = std::min(hello.concurrency, options.in_flight);
    return std::min(options.children * (at_once + 1), threads_max);
}

}  // namespace postrider::cli
