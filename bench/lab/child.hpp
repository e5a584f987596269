#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace postrider::bench {

using environment = std::vector<std::pair<std::string, std::string>>;

/// Another process that is spoken to in lines: we write to its stdin and read its stdout; what it
/// says on stderr is shown. Killed at the end if it still runs. For one thread at a time.
class child {
  public:
    /// `extra` comes on top of this process's environment.
    child(const std::vector<std::string>& arguments, const environment& extra);
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    ~child();

    void say(const std::string& line);
    /// The next line without its end; throws when none comes in time or the process ended.
    std::string read_line(std::chrono::seconds patience = std::chrono::minutes(5));
    /// The rest of the next line, which must begin with this word.
    std::string expect(const std::string& word,
                       std::chrono::seconds patience = std::chrono::minutes(5));
    /// Closes its stdin, on which it ends, and waits.
    void finish();

    pid_t pid() const { return pid_; }

  private:
    void close_pipes();

    std::string name_;
    pid_t pid_ = -1;
    int to_ = -1;
    int from_ = -1;
    std::string buffer_;
};

}  // namespace postrider::bench
