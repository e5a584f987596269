#include "support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include "support/eventually.hpp"

namespace postrider::test {
namespace {

using clock = std::chrono::steady_clock;

int milliseconds_left(clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
    return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

[[noreturn]] void become(std::vector<std::string>& arguments,
                         const std::map<std::string, std::string>& variables, int output) {
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    for (const auto& [name, value] : variables) {
        if (value.empty()) {
            ::unsetenv(name.c_str());
        } else {
            ::setenv(name.c_str(), value.c_str(), 1);
        }
    }
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (auto& argument : arguments) {
        pointers.push_back(argument.data());
    }
    pointers.push_back(nullptr);
    ::execvp(pointers[0], pointers.data());
    ::_exit(127);
}

}  // namespace

process::process(std::vector<std::string> arguments, std::map<std::string, std::string> variables) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    id_ = ::fork();
    if (id_ < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (id_ == 0) {
        become(arguments, variables, ends[1]);
    }
    ::close(ends[1]);
    source_ = ends[0];
}

process::~process() {
    if (!finished_) {
        ::kill(id_, SIGKILL);
        ::waitpid(id_, nullptr, 0);
    }
    ::close(source_);
}

process::reading process::read_some(clock::time_point deadline) {
    pollfd waiting{source_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, milliseconds_left(deadline));
    if (ready == 0) {
        return reading::timed_out;
    }
    std::array<char, 4096> buffer{};
    const auto count = ready < 0 ? -1 : ::read(source_, buffer.data(), buffer.size());
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

std::string process::wait_for_line(std::string_view text, milliseconds patience) {
    const auto deadline = clock::now() + patience;
    while (true) {
        if (auto line = take_line(text); !line.empty()) {
            return line;
        }
        if (read_some(deadline) != reading::more) {
            throw std::runtime_error("no line with '" + std::string(text) + "' in:\n" + output_);
        }
    }
}

int process::wait(milliseconds patience) {
    const auto deadline = clock::now() + patience;
    auto state = reading::more;
    while (state == reading::more) {
        state = read_some(deadline);
    }
    // The pipe may outlive the program in a grandchild, or close before the program ends.
    const auto ended = [this] {
        int status = 0;
        if (!finished_ && ::waitpid(id_, &status, WNOHANG) == id_) {
            finished_ = true;
            status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        return finished_;
    };
    if (!eventually(ended, milliseconds(milliseconds_left(deadline)))) {
        throw std::runtime_error("process " + std::to_string(id_) + " does not end:\n" + output_);
    }
    return status_;
}

void process::kill(int signal) {
    if (!finished_) {
        ::kill(id_, signal);
    }
}

finished_process run(std::vector<std::string> arguments,
                     std::map<std::string, std::string> variables) {
    process child(std::move(arguments), std::move(variables));
    const int status = child.wait();
    return {status, child.output()};
}

}  // namespace postrider::test
