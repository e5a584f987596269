#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace postrider::cli {

/// All data of the new process, prepared before fork(): the child must not allocate, because
/// another thread may have held the lock of the allocator. The texts must outlive it.
class prepared_command {
  public:
    prepared_command(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment);

    char* const* arguments() const { return arguments_.data(); }
    char* const* environment() const { return environment_.data(); }
    pid_t parent() const { return parent_; }

  private:
    std::vector<char*> arguments_;
    std::vector<char*> environment_;
    pid_t parent_;
};

struct command_streams {
    int input;
    int errors;
    int refusal;  ///< receives the errno of a failed execve()
    bool quiet;   ///< discard stdout instead of redirecting it to our stderr
};

/// Runs the program in the child of fork(): default signals, a new process group, only the standard
/// descriptors, SIGTERM when the parent dies.
[[noreturn]] void become_command(const prepared_command& command, const command_streams& streams);

}  // namespace postrider::cli
