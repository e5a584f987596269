#include "embedded/child_process.hpp"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <postrider/error.hpp>
#include <system_error>

namespace postrider::embedded {
namespace {

[[noreturn]] void throw_system_error(const char* operation) {
    throw std::system_error(errno, std::generic_category(), operation);
}

// Only async-signal-safe calls below: the parent may have threads.
[[noreturn]] void fail_in_child(const char* operation) {
    const char* reason = std::strerror(errno);
    for (const char* part : {operation, ": ", reason, "\n"}) {
        if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) {
            break;
        }
    }
    ::_exit(126);
}

[[noreturn]] void become_program(char* const* arguments, const system_user* user,
                                 const char* directory, int output) {
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    if (user != nullptr && (::initgroups(user->name.c_str(), user->gid) != 0 ||
                            ::setgid(user->gid) != 0 || ::setuid(user->uid) != 0)) {
        fail_in_child("cannot become an unprivileged user");
    }
    if (*directory != '\0' && ::chdir(directory) != 0) {
        fail_in_child(directory);
    }
    ::execv(arguments[0], arguments);
    fail_in_child(arguments[0]);
}

// Passes on the wish to stop, once.
void watch(int source, pid_t child, stop_check& stop) {
    constexpr int between_checks_ms = 50;
    pollfd waiting{source, POLLIN, 0};
    while (stop && ::poll(&waiting, 1, between_checks_ms) <= 0) {
        if (stop()) {
            ::kill(child, SIGINT);
            stop = nullptr;
        }
    }
}

std::string read_all(int source, pid_t child, stop_check stop) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (true) {
        watch(source, child, stop);
        const auto count = ::read(source, buffer.data(), buffer.size());
        if (count > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(count));
        } else if (count == 0) {
            return text;
        } else if (errno != EINTR) {
            throw_system_error("read");
        }
    }
}

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            throw_system_error("waitpid");
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::optional<system_user> unprivileged_user() {
    if (::geteuid() != 0) {
        return std::nullopt;
    }
    for (const char* name : {"postgres", "nobody"}) {
        if (const auto* entry = ::getpwnam(name)) {
            return system_user{name, entry->pw_uid, entry->pw_gid};
        }
    }
    throw error(errc::server_start_failed,
                "PostgreSQL does not run as root and neither user 'postgres' nor 'nobody' exists: "
                "create one, or run as another user");
}

command_outcome run_command(const std::vector<std::string>& arguments,
                            const std::optional<system_user>& user,
                            const std::filesystem::path& directory, const stop_check& stop) {
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (const auto& argument : arguments) {
        pointers.push_back(const_cast<char*>(argument.c_str()));
    }
    pointers.push_back(nullptr);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw_system_error("pipe");
    }
    const pid_t child = ::fork();
    if (child < 0) {
        throw_system_error("fork");
    }
    if (child == 0) {
        become_program(pointers.data(), user ? &*user : nullptr, directory.c_str(), ends[1]);
    }
    ::close(ends[1]);
    command_outcome outcome;
    outcome.output = read_all(ends[0], child, stop);
    ::close(ends[0]);
    outcome.status = wait_for(child);
    return outcome;
}

}  // namespace postrider::embedded
