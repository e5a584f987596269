// The coordinator waits for finished slices, notifications, a stop request or the next due time.
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "worker/coordinator/coordinator.hpp"

namespace postrider::working {

using std::chrono::milliseconds;

void coordinator::wait() {
    const auto now = clock::now();
    timeouts_.run(context_, now);
    if (listening_.relayed()) {
        context_.schedule.look_again_soon(now);
    }
    wait_until(std::min(next_at(clock::now()), context_.threads->spread(now)));
}

// A time in here that no service acts on makes the worker spin: each next_at() must match the
// condition of its run().
clock::time_point coordinator::next_at(clock::time_point now) const {
    auto next = clock::time_point::max();
    if (context_.held.in_hand() > 0) {
        next = std::min(timeouts_.next_at(), heartbeat_.expires_at(context_));
    }
    next = std::min(next, receiving_.next_at());
    if (context_.stopping) {
        next = std::min(next, shutdown_.until);
    }
    if (!trouble_.over(now)) {
        return std::min(next, trouble_.until());
    }
    next = std::min({next, heartbeat_.next_at(), progress_.next_at(context_),
                     context_.held.next_report(), due_.next_report(context_),
                     receiving_.next_store()});
    if (context_.stopping) {
        return next;  // a stopping worker runs no other service
    }
    if (const auto until = context_.schedule.collects_until(); now < until) {
        next = std::min(next, until);
    } else if (log_limit(false, now) > 0) {
        return now;
    }
    if (const auto free_at = keys_are_free_at(); now < free_at) {
        next = std::min(next, free_at);
    }
    if (claim_limit(false) > 0) {
        next = std::min(next, context_.waiting.next_at(context_.schedule.exhausted()));
    } else if (urgent_limit() > 0) {
        next = std::min(next, context_.waiting.urgent_at());
    }
    return std::min({next, context_.schedule.next_at(), release_.next_at(context_, now),
                     listening_.next_at(context_), due_.next_at(context_), maintenance_.next_at(),
                     replays_.next_at(), schedules_.next_at(), history_.next_at(),
                     alerts_.next_at()});
}

void coordinator::wait_until(clock::time_point when) {
    if (listening_.may_have_notification() && take_notifications()) {
        return;
    }
    constexpr auto longest = std::chrono::minutes(1);
    const auto before = clock::now();
    const auto left = std::chrono::ceil<milliseconds>(std::min(when, before + longest) - before);
    std::array<pollfd, 3> sources{
        pollfd{context_.threads->wake().descriptor(), POLLIN, 0},
        pollfd{listening_.socket(), POLLIN, 0},
        pollfd{trouble_.over(before) ? replays_.socket() : -1, POLLIN, 0}};
    const int ready = ::poll(sources.data(), sources.size(),
                             static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready < 0 && errno != EINTR) {
        throw std::system_error(errno, std::generic_category(), "poll");
    }
    const auto& options = context_.options;
    if (context_.schedule.run(clock::now(),
                              listening_.announced() ? options.sweep : options.poll)) {
        context_.due_changed = true;
    }
    if (sources[1].revents != 0) {
        take_notifications();
    }
}

// True when a notification arrived.
bool coordinator::take_notifications() {
    const auto notice = listening_.take(context_);
    if (notice.any) {
        context_.schedule.notified();
    }
    if (notice.replay) {
        replays_.look();
    }
    if (notice.schedule) {
        schedules_.look();
    }
    return notice.any;
}

}  // namespace postrider::working
