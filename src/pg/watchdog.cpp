#include "pg/watchdog.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "base/blocked_signals.hpp"

namespace postrider::pg {

watchdog::watchdog() {
    const blocked_signals meanwhile;
    thread_ = std::thread([this] { watch(); });
}

watchdog::~watchdog() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void watchdog::watch() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        const auto now = clock::now();
        auto next = clock::time_point::max();
        for (auto& one : calls_) {
            if (!one.cut && one.deadline <= now) {
                ::shutdown(one.socket, SHUT_RDWR);
                one.cut = true;
            } else if (!one.cut) {
                next = std::min(next, one.deadline);
            }
        }
        next_look_ = next;
        if (next == clock::time_point::max()) {
            changed_.wait(lock);
        } else {
            changed_.wait_until(lock, next);
        }
    }
}

void watchdog::cut_all() {
    {
        const std::lock_guard lock(mutex_);
        for (auto& one : calls_) {
            if (!one.last) {
                one.deadline = {};
            }
        }
    }
    changed_.notify_one();
}

watchdog::guard::guard(watchdog& by, const connection& session, std::chrono::milliseconds timeout,
                       urgency how, bool* cut)
    : by_(by), cut_(cut) {
    const auto deadline = clock::now() + timeout;
    const int copy = ::fcntl(session.socket(), F_DUPFD_CLOEXEC, 0);
    const int socket = copy >= 0 ? copy : session.socket();  // out of descriptors: uses libpq's own
    const std::lock_guard lock(by_.mutex_);
    by_.calls_.push_front({socket, copy >= 0, deadline, how == urgency::shutdown});
    call_ = by_.calls_.begin();
    // Only for an earlier deadline than the thread waits for: at its next wake-up it finds all
    // calls.
    if (deadline < by_.next_look_) {
        by_.changed_.notify_one();
    }
}

watchdog::guard::~guard() {
    const int socket = call_->own ? call_->socket : -1;
    {
        const std::lock_guard lock(by_.mutex_);
        if (cut_ != nullptr && call_->cut) {
            *cut_ = true;
        }
        by_.calls_.erase(call_);
    }
    if (socket >= 0) {
        ::close(socket);
    }
}

}  // namespace postrider::pg
