#include "cli/work/become_command.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace postrider::cli {
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

// Exit codes as in a shell. The parent also receives errno, because the program could exit with the
// same codes.
[[noreturn]] void cannot_run(const char* program, int refusal) {
    constexpr int not_found = 127;
    constexpr int not_executable = 126;
    const int problem = errno;
    if (::write(refusal, &problem, sizeof problem) < 0) {
        ::_exit(not_executable);
    }
    for (const char* part : {program, ": ", ::strerrordesc_np(problem), "\n"}) {
        if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) {
            break;
        }
    }
    ::_exit(problem == ENOENT ? not_found : not_executable);
}

void reset_signals() {
    for (int number = 1; number < NSIG; ++number) {
        ::signal(number, SIG_DFL);  // fails for SIGKILL and SIGSTOP
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

prepared_command::prepared_command(const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& environment)
    : arguments_(pointers_to(arguments)),
      environment_(pointers_to(environment)),
      parent_(::getpid()) {}

void become_command(const prepared_command& command, const command_streams& streams) {
    ::setpgid(0, 0);
    reset_signals();
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != command.parent()) {
        ::_exit(1);  // the parent died before prctl()
    }
    ::dup2(streams.input, STDIN_FILENO);
    if (streams.quiet) {
        ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    } else {
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    ::dup2(streams.errors, STDERR_FILENO);
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execve(command.arguments()[0], command.arguments(), command.environment());
    cannot_run(command.arguments()[0], streams.refusal);
}

}  // namespace postrider::cli
