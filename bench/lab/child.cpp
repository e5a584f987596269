#include "bench/lab/child.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

extern char** environ;

namespace postrider::bench {
namespace {

// The child's environment as exec wants it.
class environment_block {
  public:
    explicit environment_block(const environment& extra) {
        for (char** one = environ; *one != nullptr; ++one) {
            const std::string entry = *one;
            const auto name = entry.substr(0, entry.find('='));
            if (std::ranges::find(extra, name, &environment::value_type::first) == extra.end()) {
                entries_.push_back(entry);
            }
        }
        for (const auto& [name, value] : extra) {
            entries_.push_back(name + "=" + value);
        }
        for (auto& entry : entries_) {
            pointers_.push_back(entry.data());
        }
        pointers_.push_back(nullptr);
    }
    char** data() { return pointers_.data(); }

  private:
    std::vector<std::string> entries_;
    std::vector<char*> pointers_;
};

void make_pipe(int (&ends)[2]) {
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
}

}  // namespace

child::child(const std::vector<std::string>& arguments, const environment& extra)
    : name_(arguments.at(0)) {
    int in[2];
    int out[2];
    make_pipe(in);
    make_pipe(out);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
    // The signals that this process handles in a thread of its own must end the child.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    auto texts = arguments;
    std::vector<char*> pointers;
    for (auto& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    environment_block variables(extra);
    const int failed =
        ::posix_spawnp(&pid_, pointers[0], &files, &attributes, pointers.data(), variables.data());
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
    if (failed != 0) {
        close_pipes();
        throw std::system_error(failed, std::generic_category(), "cannot start " + name_);
    }
}

child::~child() {
    close_pipes();
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
}

void child::close_pipes() {
    for (int* end : {&to_, &from_}) {
        if (*end >= 0) {
            ::close(*end);
            *end = -1;
        }
    }
}

void child::say(const std::string& line) {
    const auto text = line + "\n";
    if (::write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        throw std::runtime_error(name_ + " does not listen");
    }
}

std::string child::read_line(std::chrono::seconds patience) {
    const auto give_up = std::chrono::steady_clock::now() + patience;
    for (;;) {
        if (const auto end = buffer_.find('\n'); end != std::string::npos) {
            auto line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return line;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            give_up - std::chrono::steady_clock::now());
        pollfd source{from_, POLLIN, 0};
        if (left.count() <= 0 || ::poll(&source, 1, static_cast<int>(left.count())) == 0) {
            throw std::runtime_error(
                fmt::format("{} was silent for {} seconds", name_, patience.count()));
        }
        char bytes[65536];
        const auto count = ::read(from_, bytes, sizeof bytes);
        if (count <= 0) {
            throw std::runtime_error(name_ + " ended early; its reason stands above");
        }
        buffer_.append(bytes, static_cast<std::size_t>(count));
    }
}

std::string child::expect(const std::string& word, std::chrono::seconds patience) {
    const auto line = read_line(patience);
    if (!line.starts_with(word)) {
        throw std::runtime_error(fmt::format("{} said '{}' instead of {}", name_, line, word));
    }
    return line.size() > word.size() ? line.substr(word.size() + 1) : std::string();
}

void child::finish() {
    ::close(to_);
    to_ = -1;
    char bytes[4096];
    while (::read(from_, bytes, sizeof bytes) > 0) {
    }
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

}  // namespace postrider::bench
