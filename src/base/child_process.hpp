#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace postrider {

struct system_user {
    std::string name;
    uid_t uid;
    gid_t gid;
};

/// NAME=VALUE entries: the environment of this process with `changes`. An empty value removes a
/// variable.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes);

struct spawn_options {
    /// The first is the program; without a slash it is searched in PATH.
    std::vector<std::string> arguments = {};
    /// NAME=VALUE, complete; default: the environment of this process.
    std::optional<std::vector<std::string>> environment = {};
    int input = STDIN_FILENO;
    int output = STDOUT_FILENO;
    int errors = STDERR_FILENO;
    std::string directory = {};            ///< empty: the current one
    std::optional<system_user> user = {};  ///< requires root
    int signal_on_parent_death = 0;        ///< sent when the thread that called spawn() ends
    bool process_group = false;            ///< make it the leader of a new process group
    bool restore_ignored_signals = false;  ///< default action also for ignored signals
    bool close_descriptors = false;  ///< all but the standard ones, also those without CLOEXEC
};

/// The process was created and could not run the program. code() is the errno.
class exec_error : public std::system_error {
  public:
    using std::system_error::system_error;
};

/// Starts a program, without a shell, and waits until it runs. No signals are blocked in it, and it
/// handles none. Throws exec_error, or std::system_error when no process can be created.
pid_t spawn(const spawn_options& options);

/// The exit code, or 128 + signal, of a status that waitpid() returned.
int exit_code(int status);

/// A program that was started by spawn(). The destructor kills it if it still runs. For one thread
/// at a time.
class child_process {
  public:
    explicit child_process(const spawn_options& options) : id_(spawn(options)) {}
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;
    ~child_process();

    pid_t id() const { return id_; }
    /// Does nothing after its end was seen.
    void signal(int number) const;
    /// exit_code(), or nothing while it runs.
    std::optional<int> ended();
    std::optional<int> wait_for(std::chrono::milliseconds timeout);
    int wait();

  private:
    pid_t id_;
    std::optional<int> exit_code_;
};

}  // namespace postrider
