#include "worker/stop_signals.hpp"

#include <atomic>
#include <postrider/error.hpp>

namespace postrider::working {
namespace {

std::atomic<worker*> asked_worker = nullptr;

void ask(int) {
    if (auto* asked = asked_worker.load()) {
        asked->request_stop();
    }
}

}  // namespace

stop_signals::stop_signals(worker& asked) {
    worker* nobody = nullptr;
    if (!asked_worker.compare_exchange_strong(nobody, &asked)) {
        throw usage_error(
            "run() is for one worker at a time; with several call start(), request_stop() and "
            "wait() yourself");
    }
    struct sigaction action = {};
    action.sa_handler = ask;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, &interrupt_before_);
    ::sigaction(SIGTERM, &action, &terminate_before_);
}

stop_signals::~stop_signals() {
    ::sigaction(SIGINT, &interrupt_before_, nullptr);
    ::sigaction(SIGTERM, &terminate_before_, nullptr);
    asked_worker = nullptr;
}

}  // namespace postrider::working
