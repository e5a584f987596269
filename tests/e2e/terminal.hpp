#pragma once

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::test {

/// A program in a new terminal with keyboard input. An empty value removes a variable. Not a
/// child_process: forkpty() makes the terminal and the process together.
class terminal {
  public:
    terminal(const std::vector<std::string>& arguments,
             const std::map<std::string, std::string>& variables, winsize size) {
        std::vector<char*> words;
        for (const auto& word : arguments) {
            words.push_back(const_cast<char*>(word.c_str()));
        }
        words.push_back(nullptr);
        id_ = ::forkpty(&keyboard_, nullptr, nullptr, &size);
        if (id_ == 0) {
            for (const auto& [name, value] : variables) {
                value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
            }
            ::execv(words.front(), words.data());
            ::_exit(127);
        }
    }
    terminal(const terminal&) = delete;
    terminal& operator=(const terminal&) = delete;
    ~terminal() {
        ::close(keyboard_);
        if (!ended_) {
            ::kill(id_, SIGKILL);
            ::waitpid(id_, nullptr, 0);
        }
    }

    void type(std::string_view keys) const {
        if (::write(keyboard_, keys.data(), keys.size()) < 0) {
            throw std::runtime_error("the program does not read its input");
        }
    }
    pid_t id() const { return id_; }
    void resize(winsize size) const { ::ioctl(keyboard_, TIOCSWINSZ, &size); }

    /// The output since the last call, up to and including `text`.
    std::string wait_for(std::string_view text) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (true) {
            if (const auto at = shown_.find(text); at != std::string::npos) {
                auto piece = shown_.substr(0, at + text.size());
                shown_.erase(0, piece.size());
                return piece;
            }
            if (std::chrono::steady_clock::now() >= deadline || !read_more()) {
                throw std::runtime_error(
                    "was not shown: " + std::string(text) + "\n" +
                    shown_.substr(shown_.size() - std::min<std::size_t>(shown_.size(), 2000)));
            }
        }
    }
    /// The exit code; `rest` gets the remaining output.
    int wait(std::string& rest) {
        while (read_more()) {
        }
        rest = shown_;
        int status = 0;
        ::waitpid(id_, &status, 0);
        ended_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

  private:
    bool read_more() {
        constexpr int timeout_ms = 20000;
        pollfd source{keyboard_, POLLIN, 0};
        char buffer[4096];
        if (::poll(&source, 1, timeout_ms) <= 0) {
            return false;
        }
        const auto got = ::read(keyboard_, buffer, sizeof buffer);
        if (got <= 0) {
            return false;
        }
        shown_.append(buffer, static_cast<std::size_t>(got));
        return true;
    }

    int keyboard_ = -1;
    pid_t id_ = -1;
    bool ended_ = false;
    std::string shown_;
};

}  // namespace postrider::test
