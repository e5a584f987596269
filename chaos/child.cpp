#include "chaos/child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>

namespace postrider::chaos {
namespace {

// Environment as execve wants it, made before the fork: afterwards nothing may allocate.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text(*entry);
        if (!variables.contains(text.substr(0, text.find('=')))) {
            all.push_back(text);
        }
    }
    for (const auto& [name, value] : variables) {
        all.push_back(name + "=" + value);
    }
    return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (auto& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

child::child(const std::vector<std::string>& arguments,
             const std::map<std::string, std::string>& variables,
             const std::filesystem::path& output) {
    auto words = arguments;
    auto environment = environment_with(variables);
    const auto argv = pointers_to(words);
    const auto envp = pointers_to(environment);
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    id_ = ::fork();
    if (id_ < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (id_ == 0) {
        // Not left behind when the conductor is killed.
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::dup2(file, STDOUT_FILENO);
        ::dup2(file, STDERR_FILENO);
        ::execve(argv[0], argv.data(), envp.data());
        ::_exit(127);
    }
    ::close(file);
}

child::~child() {
    if (!ended()) {
        signal(SIGKILL);
        ::waitpid(id_, nullptr, 0);
    }
}

std::optional<int> child::ended() {
    int status = 0;
    if (!status_ && ::waitpid(id_, &status, WNOHANG) == id_) {
        status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return status_;
}

std::optional<int> child::wait(std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!ended() && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return status_;
}

void child::signal(int number) const {
    if (!status_) {
        ::kill(id_, number);
    }
}

}  // namespace postrider::chaos
