#include "bench/lab/child.hpp"

#include <fmt/core.h>
#include <poll.h>

#include <stdexcept>

namespace postrider::bench {

child::child(const std::vector<std::string>& arguments, const environment& extra)
    : child(arguments, extra, make_pipe(), make_pipe()) {}

child::child(const std::vector<std::string>& arguments, const environment& extra, pipe_ends down,
             pipe_ends up)
    : name_(arguments.at(0)),
      process_({.arguments = arguments,
                .environment = environment_with(extra),
                .input = down.read.get(),
                .output = up.write.get()}),
      to_(std::move(down.write)),
      from_(std::move(up.read)) {}

void child::say(const std::string& line) {
    const auto text = line + "\n";
    if (::write(to_.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        throw std::runtime_error(name_ + " does not listen");
    }
}

std::string child::read_line(std::chrono::seconds timeout) {
    const auto give_up = std::chrono::steady_clock::now() + timeout;
    for (;;) {
        if (const auto end = buffer_.find('\n'); end != std::string::npos) {
            auto line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return line;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            give_up - std::chrono::steady_clock::now());
        pollfd source{from_.get(), POLLIN, 0};
        if (left.count() <= 0 || ::poll(&source, 1, static_cast<int>(left.count())) == 0) {
            throw std::runtime_error(
                fmt::format("{} was silent for {} seconds", name_, timeout.count()));
        }
        char bytes[65536];
        const auto count = ::read(from_.get(), bytes, sizeof bytes);
        if (count <= 0) {
            throw std::runtime_error(name_ + " ended early; its reason stands above");
        }
        buffer_.append(bytes, static_cast<std::size_t>(count));
    }
}

std::string child::expect(const std::string& word, std::chrono::seconds timeout) {
    const auto line = read_line(timeout);
    if (!line.starts_with(word)) {
        throw std::runtime_error(fmt::format("{} said '{}' instead of {}", name_, line, word));
    }
    return line.size() > word.size() ? line.substr(word.size() + 1) : std::string();
}

void child::finish() {
    to_.close();
    char bytes[4096];
    while (::read(from_.get(), bytes, sizeof bytes) > 0) {
    }
    process_.wait();
}

}  // namespace postrider::bench
