#include "cli/stop_signal.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace postrider::cli {

stop_signal::stop_signal() {
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    // Stays blocked to the end: a second Ctrl-C must not cut the clean stop short.
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    descriptor_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (descriptor_ < 0) {
        throw std::system_error(errno, std::generic_category(), "signalfd");
    }
}

stop_signal::~stop_signal() { ::close(descriptor_); }

void stop_signal::wait() const {
    pollfd source{descriptor_, POLLIN, 0};
    while (::poll(&source, 1, -1) < 0) {
        if (errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "poll");
        }
    }
}

}  // namespace postrider::cli
