#include "bench/lab/in_lab.hpp"

#include <fmt/core.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace postrider::bench {
namespace {

sigset_t ending_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

// Ctrl-C must not leave a private server behind.
void stop_cleanly_on_signal(lab& where) {
    std::thread([&where] {
        const auto signals = ending_signals();
        int caught = 0;
        sigwait(&signals, &caught);
        fmt::print(stderr, "\nstopping\n");
        where.tear_down();
        std::_Exit(128 + caught);
    }).detach();
}

}  // namespace

void in_lab(const lab_options& options, const std::function<void(const lab&)>& body) {
    const auto signals = ending_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    fmt::print(stderr, "starting PostgreSQL\n");
    lab where(options);
    stop_cleanly_on_signal(where);
    try {
        body(where);
    } catch (const std::exception&) {
        // Stopping the server also ends the process; errors after that are expected.
        while (where.ending()) {
            ::pause();
        }
        throw;
    }
}

}  // namespace postrider::bench
