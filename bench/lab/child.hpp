#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"

namespace postrider::bench {

using environment = std::map<std::string, std::string>;

/// A child process with a line protocol over its stdin and stdout. It shares this process's stderr.
/// The destructor kills it if it still runs. For one thread at a time.
class child {
  public:
    /// `extra` comes on top of this process's environment.
    child(const std::vector<std::string>& arguments, const environment& extra);

    void say(const std::string& line);
    /// The next line without its end; throws when none comes in time or the process ended.
    std::string read_line(std::chrono::seconds timeout = std::chrono::minutes(5));
    /// The rest of the next line, which must begin with this word.
    std::string expect(const std::string& word,
                       std::chrono::seconds timeout = std::chrono::minutes(5));
    /// Closes its stdin, on which it ends, and waits.
    void finish();

    pid_t pid() const { return process_.id(); }

  private:
    child(const std::vector<std::string>& arguments, const environment& extra, pipe_ends down,
          pipe_ends up);

    std::string name_;
    child_process process_;
    descriptor to_;
    descriptor from_;
    std::string buffer_;
};

}  // namespace postrider::bench
