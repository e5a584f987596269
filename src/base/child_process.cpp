#include "base/child_process.hpp"

#include <grp.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <thread>

#include "base/blocked_signals.hpp"
#include "base/descriptor.hpp"

namespace postrider {
namespace {

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (const auto& text : texts) {
        pointers.push_back(const_cast<char*>(text.c_str()));
    }
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<gid_t> groups_of(const system_user& user) {
    int count = 32;
    std::vector<gid_t> groups(static_cast<std::size_t>(count));
    while (::getgrouplist(user.name.c_str(), user.gid, groups.data(), &count) < 0) {
        groups.resize(std::max(static_cast<std::size_t>(count), groups.size() * 2));
        count = static_cast<int>(groups.size());
    }
    groups.resize(static_cast<std::size_t>(count));
    return groups;
}

enum class step : int { user, directory, program };

/// From the child to the parent.
struct failure {
    step at;
    int problem;
};

/// Everything the child needs, made before fork(). The child may only make async-signal-safe calls:
/// another thread may have held the lock of the allocator.
class launch {
  public:
    explicit launch(const spawn_options& options)
        : options_(options),
          arguments_(pointers_to(options.arguments)),
          environment_(options.environment ? pointers_to(*options.environment)
                                           : std::vector<char*>()),
          groups_(options.user ? groups_of(*options.user) : std::vector<gid_t>()),
          searched_(options.arguments.at(0).find('/') == std::string::npos),
          parent_(::getpid()) {}

    [[noreturn]] void become_program(int report) const {
        if (options_.process_group) {
            ::setpgid(0, 0);
        }
        if (options_.signal_on_parent_death != 0) {
            ::prctl(PR_SET_PDEATHSIG, options_.signal_on_parent_death);
            if (::getppid() != parent_) {
                ::_exit(1);  // the parent died before prctl()
            }
        }
        reset_signals();
        // In this order: stdout may go to the parent's stderr.
        ::dup2(options_.input, STDIN_FILENO);
        ::dup2(options_.output, STDOUT_FILENO);
        ::dup2(options_.errors, STDERR_FILENO);
        if (options_.close_descriptors) {
            ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
        }
        const failure failed{run(), errno};
        static_cast<void>(::write(report, &failed, sizeof failed) < 0);
        ::_exit(127);
    }

    const std::string& subject(step at) const {
        return at == step::user        ? options_.user->name
               : at == step::directory ? options_.directory
                                       : options_.arguments.front();
    }

  private:
    void reset_signals() const {
        for (int number = 1; number < NSIG; ++number) {
            struct sigaction now {};
            if (options_.restore_ignored_signals ||
                (::sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)) {
                ::signal(number, SIG_DFL);  // fails for SIGKILL and SIGSTOP
            }
        }
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
    }

    // Returns the step that failed.
    step run() const {
        if (options_.user &&
            (::setgroups(groups_.size(), groups_.data()) != 0 ||
             ::setgid(options_.user->gid) != 0 || ::setuid(options_.user->uid) != 0)) {
            return step::user;
        }
        if (!options_.directory.empty() && ::chdir(options_.directory.c_str()) != 0) {
            return step::directory;
        }
        char* const* environment = options_.environment ? environment_.data() : ::environ;
        // Not always execvpe(): it runs a file without an interpreter line with a shell.
        if (searched_) {
            ::execvpe(arguments_[0], arguments_.data(), environment);
        } else {
            ::execve(arguments_[0], arguments_.data(), environment);
        }
        return step::program;
    }

    const spawn_options& options_;
    std::vector<char*> arguments_;
    std::vector<char*> environment_;
    std::vector<gid_t> groups_;
    bool searched_;
    pid_t parent_;
};

int wait_status(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "waitpid");
        }
    }
    return status;
}

}  // namespace

std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes) {
    std::vector<std::string> all;
    for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string text(*entry);
        if (!changes.contains(text.substr(0, text.find('=')))) {
            all.push_back(text);
        }
    }
    for (const auto& [name, value] : changes) {
        if (!value.empty()) {
            all.push_back(name + "=" + value);
        }
    }
    return all;
}

pid_t spawn(const spawn_options& options) {
    const launch prepared(options);
    auto report = make_pipe();
    pid_t child = -1;
    {
        // A signal must not run this program's handler in the child.
        const blocked_signals meanwhile;
        child = ::fork();
        if (child == 0) {
            prepared.become_program(report.write.get());
        }
    }
    if (child < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    report.write.close();
    failure failed{};
    ssize_t count = 0;
    do {
        count = ::read(report.read.get(), &failed, sizeof failed);
    } while (count < 0 && errno == EINTR);
    if (count == static_cast<ssize_t>(sizeof failed)) {
        wait_status(child);
        throw exec_error(failed.problem, std::generic_category(), prepared.subject(failed.at));
    }
    return child;
}

int exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

child_process::~child_process() {
    if (!exit_code_) {
        ::kill(id_, SIGKILL);
        ::waitpid(id_, nullptr, 0);
    }
}

void child_process::signal(int number) const {
    if (!exit_code_) {
        ::kill(id_, number);
    }
}

std::optional<int> child_process::ended() {
    int status = 0;
    if (!exit_code_ && ::waitpid(id_, &status, WNOHANG) == id_) {
        exit_code_ = exit_code(status);
    }
    return exit_code_;
}

std::optional<int> child_process::wait_for(std::chrono::milliseconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (!ended() && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return exit_code_;
}

int child_process::wait() {
    if (!exit_code_) {
        exit_code_ = exit_code(wait_status(id_));
    }
    return *exit_code_;
}

}  // namespace postrider
