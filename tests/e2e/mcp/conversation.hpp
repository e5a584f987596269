#pragma once

#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"

namespace postrider::test {

/// A program that answers lines with lines, over real pipes.
class conversation {
  public:
    conversation(const std::vector<std::string>& arguments,
                 const std::map<std::string, std::string>& variables)
        : conversation(arguments, variables, make_pipe(), make_pipe()) {}

    void say(std::string line, const char* end = "\n") const {
        line += end;
        for (std::size_t sent = 0; sent < line.size();) {
            const auto wrote = ::write(to_.get(), line.data() + sent, line.size() - sent);
            if (wrote <= 0) {
                throw std::runtime_error("it does not listen any more");
            }
            sent += static_cast<std::size_t>(wrote);
        }
    }
    /// The next line of its output.
    std::string hear() {
        constexpr int timeout_ms = 20000;
        std::size_t end = 0;
        while ((end = heard_.find('\n')) == std::string::npos) {
            pollfd source{from_.get(), POLLIN, 0};
            std::array<char, 65536> buffer{};
            const auto got = ::poll(&source, 1, timeout_ms) > 0
                                 ? ::read(from_.get(), buffer.data(), buffer.size())
                                 : 0;
            if (got <= 0) {
                throw std::runtime_error("it says nothing more: " + heard_);
            }
            heard_.append(buffer.data(), static_cast<std::size_t>(got));
        }
        auto line = heard_.substr(0, end);
        heard_.erase(0, end + 1);
        return line;
    }
    std::string ask(const std::string& line) {
        say(line);
        return hear();
    }
    void hang_up() { to_.close(); }
    int wait() {
        hang_up();
        return process_.wait();
    }

  private:
    conversation(const std::vector<std::string>& arguments,
                 const std::map<std::string, std::string>& variables, pipe_ends down, pipe_ends up)
        : process_({.arguments = arguments,
                    .environment = environment_with(variables),
                    .input = down.read.get(),
                    .output = up.write.get()}),
          to_(std::move(down.write)),
          from_(std::move(up.read)) {
        ::signal(SIGPIPE, SIG_IGN);
    }

    child_process process_;
    descriptor to_;
    descriptor from_;
    std::string heard_;
};

}  // namespace postrider::test
