#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace postrider::test {

/// A program that answers lines with lines, over real pipes.
class conversation {
  public:
    conversation(const std::vector<std::string>& arguments,
                 const std::map<std::string, std::string>& variables) {
        std::array<int, 2> down{};
        std::array<int, 2> up{};
        if (::pipe2(down.data(), O_CLOEXEC) != 0 || ::pipe2(up.data(), O_CLOEXEC) != 0) {
            throw std::runtime_error("no pipes");
        }
        std::vector<char*> words;
        for (const auto& word : arguments) {
            words.push_back(const_cast<char*>(word.c_str()));
        }
        words.push_back(nullptr);
        id_ = ::fork();
        if (id_ == 0) {
            ::dup2(down[0], STDIN_FILENO);
            ::dup2(up[1], STDOUT_FILENO);
            for (const auto& [name, value] : variables) {
                ::setenv(name.c_str(), value.c_str(), 1);
            }
            ::execv(words.front(), words.data());
            ::_exit(127);
        }
        ::close(down[0]);
        ::close(up[1]);
        to_ = down[1];
        from_ = up[0];
        ::signal(SIGPIPE, SIG_IGN);
    }
    conversation(const conversation&) = delete;
    conversation& operator=(const conversation&) = delete;
    ~conversation() {
        hang_up();
        ::close(from_);
        if (!ended_) {
            ::kill(id_, SIGKILL);
            ::waitpid(id_, nullptr, 0);
        }
    }

    void say(std::string line, const char* end = "\n") const {
        line += end;
        for (std::size_t sent = 0; sent < line.size();) {
            const auto wrote = ::write(to_, line.data() + sent, line.size() - sent);
            if (wrote <= 0) {
                throw std::runtime_error("it does not listen any more");
            }
            sent += static_cast<std::size_t>(wrote);
        }
    }
    /// The next line it says.
    std::string hear() {
        constexpr int patience_ms = 20000;
        std::size_t end = 0;
        while ((end = heard_.find('\n')) == std::string::npos) {
            pollfd source{from_, POLLIN, 0};
            std::array<char, 65536> buffer{};
            const auto got = ::poll(&source, 1, patience_ms) > 0
                                 ? ::read(from_, buffer.data(), buffer.size())
                                 : 0;
            if (got <= 0) {
                throw std::runtime_error("it says nothing more: " + heard_);
            }
            heard_.append(buffer.data(), static_cast<std::size_t>(got));
        }
        auto line = heard_.substr(0, end);
        heard_.erase(0, end + 1);
        return line;
    }
    std::string ask(const std::string& line) {
        say(line);
        return hear();
    }
    void hang_up() {
        if (to_ >= 0) {
            ::close(to_);
            to_ = -1;
        }
    }
    int wait() {
        hang_up();
        int status = 0;
        ::waitpid(id_, &status, 0);
        ended_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

  private:
    int to_ = -1;
    int from_ = -1;
    pid_t id_ = -1;
    bool ended_ = false;
    std::string heard_;
};

}  // namespace postrider::test
