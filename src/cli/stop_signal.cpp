#include "cli/stop_signal.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

namespace postrider::cli {

stop_signal::stop_signal() {
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    // SIGHUP: the terminal was closed. Under nohup(1) it is ignored and the program continues.
    struct sigaction hangup {};
    ::sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) {
        ::sigaddset(&signals, SIGHUP);
    }
    // Stays blocked: a second Ctrl-C must not interrupt the clean stop.
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    descriptor_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (descriptor_ < 0) {
        throw std::system_error(errno, std::generic_category(), "signalfd");
    }
}

stop_signal::~stop_signal() { ::close(descriptor_); }

bool stop_signal::wait_for(std::chrono::milliseconds time) const {
    const auto deadline = std::chrono::steady_clock::now() + time;
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd source{descriptor_, POLLIN, 0};
        const int ready =
            ::poll(&source, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
        if (ready >= 0) {
            return ready > 0;
        }
        if (errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "poll");
        }
    }
}

bool stop_signal::take(int instead) const {
    while (true) {
        std::array<pollfd, 2> sources{pollfd{descriptor_, POLLIN, 0}, pollfd{instead, POLLIN, 0}};
        if (::poll(sources.data(), sources.size(), -1) < 0 && errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "poll");
        }
        signalfd_siginfo taken{};
        if (::read(descriptor_, &taken, sizeof taken) == sizeof taken) {
            return true;
        }
        if (sources[1].revents != 0) {
            return false;
        }
    }
}

}  // namespace postrider::cli
