#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace postrider::cli {

/// Everything that a new process needs, made before fork(): afterwards nothing may be allocated,
/// because another thread may have held the allocator's lock. The texts must outlive it.
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
    int refusal;  ///< gets the errno of execve() when the kernel refuses to run the program
    bool quiet;   ///< stdout goes nowhere instead of to our stderr
};

/// Turns the process that fork() has made into the program: signals as in a fresh process, a group
/// of its own, no descriptors but the standard ones. It gets SIGTERM when its parent dies.
[[noreturn]] void become_command(const prepared_command& what, const command_streams& streams);

}  // namespace postrider::cli
