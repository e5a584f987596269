#include "support/process.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace postrider::test {
namespace {

using clock = std::chrono::steady_clock;

int milliseconds_left(clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
    return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

}  // namespace

process::process(std::vector<std::string> arguments, std::map<std::string, std::string> variables)
    : process(std::move(arguments), variables, make_pipe()) {}

process::process(std::vector<std::string> arguments,
                 const std::map<std::string, std::string>& variables, pipe_ends output)
    : process_({.arguments = std::move(arguments),
                .environment = environment_with(variables),
                .output = output.write.get(),
                .errors = output.write.get()}),
      source_(std::move(output.read)) {}

process::reading process::read_some(clock::time_point deadline) {
    pollfd waiting{source_.get(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, milliseconds_left(deadline));
    if (ready == 0) {
        return reading::timed_out;
    }
    std::array<char, 4096> buffer{};
    const auto count = ready < 0 ? -1 : ::read(source_.get(), buffer.data(), buffer.size());
    if (count > 0) {
        output_.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0) {
        return reading::ended;
    } else if (errno != EINTR) {
        throw std::system_error(errno, std::generic_category(), "read");
    }
    return reading::more;
}

std::string process::take_line(std::string_view text) {
    for (auto end = output_.find('\n', searched_); end != std::string::npos;
         end = output_.find('\n', searched_)) {
        auto line = output_.substr(searched_, end - searched_);
        searched_ = end + 1;
        if (line.find(text) != std::string::npos) {
            return line;
        }
    }
    return {};
}

std::string process::wait_for_line(std::string_view text, milliseconds timeout) {
    const auto deadline = clock::now() + timeout;
    while (true) {
        if (auto line = take_line(text); !line.empty()) {
            return line;
        }
        if (read_some(deadline) != reading::more) {
            throw std::runtime_error("no line with '" + std::string(text) + "' in:\n" + output_);
        }
    }
}

int process::wait(milliseconds timeout) {
    const auto deadline = clock::now() + timeout;
    auto state = reading::more;
    while (state == reading::more) {
        state = read_some(deadline);
    }
    // The pipe may outlive the program in a grandchild, or close before the program ends.
    const auto status = process_.wait_for(milliseconds(milliseconds_left(deadline)));
    if (!status) {
        throw std::runtime_error("process " + std::to_string(id()) + " does not end:\n" + output_);
    }
    return *status;
}

finished_process run(std::vector<std::string> arguments,
                     std::map<std::string, std::string> variables) {
    process child(std::move(arguments), std::move(variables));
    const int status = child.wait();
    return {status, child.output()};
}

}  // namespace postrider::test
