#include "worker/stop_signals.hpp"

#include <atomic>
#include <chrono>
#include <postrider/error.hpp>

namespace postrider::working {
namespace {

using clock = std::chrono::steady_clock;

std::atomic<worker*> asked_worker = nullptr;
std::atomic<clock::rep> first_asked = 0;

void ask(int) {
    // timeout(1) and some supervisors signal the process and its group. That counts as one request,
    // and must not end the shutdown timeout.
    constexpr clock::duration same = std::chrono::milliseconds(100);
    const auto now = clock::now().time_since_epoch().count();
    clock::rep first = 0;
    if (!first_asked.compare_exchange_strong(first, now) && now - first < same.count()) {
        return;
    }
    if (auto* asked = asked_worker.load()) {
        asked->request_stop();
    }
}

}  // namespace

stop_signals::stop_signals(worker& asked) {
    worker* none = nullptr;
    if (!asked_worker.compare_exchange_strong(none, &asked)) {
        throw usage_error(
            "run() is for one worker at a time; with several call start(), request_stop() and "
            "wait() yourself");
    }
    first_asked = 0;
    struct sigaction action = {};
    action.sa_handler = ask;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, &interrupt_before_);
    ::sigaction(SIGTERM, &action, &terminate_before_);
    // nohup(1) ignores SIGHUP so that the program continues.
    ::sigaction(SIGHUP, nullptr, &hangup_before_);
    if (hangup_before_.sa_handler != SIG_IGN) {
        ::sigaction(SIGHUP, &action, nullptr);
    }
}

stop_signals::~stop_signals() {
    ::sigaction(SIGINT, &interrupt_before_, nullptr);
    ::sigaction(SIGTERM, &terminate_before_, nullptr);
    ::sigaction(SIGHUP, &hangup_before_, nullptr);
    asked_worker = nullptr;
}

}  // namespace postrider::working
