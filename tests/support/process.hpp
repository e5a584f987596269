#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"

namespace postrider::test {

/// A running program whose stdout and stderr are read together. Killed at the end of its life when
/// it is still there.
class process {
  public:
    using milliseconds = std::chrono::milliseconds;

    /// Variables are added to the environment; an empty value removes one.
    explicit process(std::vector<std::string> arguments,
                     std::map<std::string, std::string> variables = {});

    /// The first line that contains `text`, waiting for it. Throws, with all output so far, when
    /// the time is over or the output ends first.
    std::string wait_for_line(std::string_view text,
                              milliseconds timeout = std::chrono::seconds(60));
    /// Exit code, or 128 + signal. Throws when the time is over.
    int wait(milliseconds timeout = std::chrono::seconds(60));
    void kill(int signal) const { process_.signal(signal); }

    /// The output read so far; all of it after wait().
    const std::string& output() const { return output_; }
    pid_t id() const { return process_.id(); }

  private:
    enum class reading { more, ended, timed_out };
    reading read_some(std::chrono::steady_clock::time_point deadline);
    std::string take_line(std::string_view text);

    process(std::vector<std::string> arguments, const std::map<std::string, std::string>& variables,
            pipe_ends output);

    child_process process_;
    descriptor source_;
    std::string output_;
    std::size_t searched_ = 0;
};

/// Runs a program to its end.
struct finished_process {
    int status;
    std::string output;
};
finished_process run(std::vector<std::string> arguments,
                     std::map<std::string, std::string> variables = {});

}  // namespace postrider::test
