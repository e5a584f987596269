// The end of the coordinator.
#include <algorithm>

#include "store/work/doorbell.hpp"
#include "store/work/workers.hpp"
#include "worker/coordinator/coordinator.hpp"

namespace postrider::working {
namespace {

constexpr auto leave_timeout = std::chrono::seconds(2);

template <typename Call>
void attempt(Call&& call) noexcept {
    try {
        call();
    } catch (const std::exception&) {
        // The database takes back the remaining messages after the heartbeat timeout.
    }
}

}  // namespace

void coordinator::request_stop(int times) noexcept {
    int before = stop_requests_.load();
    while (before < times && !stop_requests_.compare_exchange_weak(before, times)) {
    }
    context_.threads->wake().set();
}

bool coordinator::all_reported(clock::time_point now) const {
    return context_.held.reports(now, true).empty() && context_.held.due_reports().empty() &&
           receiving_.all_stored();
}

// No message is held, none is to be reported, and the last claims found none.
bool coordinator::idle(clock::time_point now) const {
    return context_.connection && trouble_.over(now) && context_.schedule.exhausted() &&
           !context_.waiting.pending(now) && context_.held.in_hand() == 0 &&
           due_.idle(context_, now) && receiving_.idle() && all_reported(now) &&
           !alerts_.busy(context_);
}

void coordinator::begin_stop(clock::time_point now) {
    context_.stopping = true;
    context_.threads->environment().immediate.stop();
    shutdown_.until = now + context_.options.shutdown_timeout;
    context_.report(level::info, "stopping", "no more claims; running handlers may finish");
    context_.give_back(context_.threads->withdraw(), now);
    receiving_.run(context_, now, 0);
}

// True when there is nothing left to wait for.
bool coordinator::stopped(clock::time_point now) {
    if (!context_.stopping) {
        return false;
    }
    const bool finished = context_.held.in_hand() == 0;
    if (finished && all_reported(now)) {
        return true;
    }
    if (stop_requests() > 1) {
        context_.threads->request_stop();
        return true;
    }
    if (now < shutdown_.until) {
        return false;
    }
    if (finished || shutdown_.handlers_asked) {
        return true;
    }
    shutdown_.handlers_asked = true;
    context_.threads->request_stop();
    shutdown_.until =
        now + std::min<clock::duration>(context_.options.shutdown_timeout, stop_request_timeout);
    return false;
}

void coordinator::leave() noexcept {
    collect_finished();
    const bool finished = context_.held.in_hand() == 0;
    listening_.stop();
    alerts_.stop();
    attempt([&] { receiving_.run(context_, clock::now(), 0); });
    if (auto& session = context_.connection) {
        const pg::watchdog::guard watched(context_.threads->environment().watchdog, *session,
                                          leave_timeout, pg::watchdog::urgency::shutdown);
        attempt([&] { progress_.run(context_, clock::now()); });
        attempt([&] { due_.report(context_, clock::now(), true); });
        attempt([&] { exchange(clock::now()); });
        attempt([&] { receiving_.store(context_, clock::now()); });
        attempt([&] { alerts_.settle(context_); });
        attempt([&] { history_.send(context_, *session); });
        // Messages that still run go to other workers; their outcome here will not count.
        attempt([&] { store::resume_worker(*session, context_.id, {}, {}); });
        attempt([&] { store::unregister_worker(*session, context_.id); });
        // Returned messages, and perhaps the keeper's lock, wait for the other workers.
        attempt([&] { store::wake_all(*session, context_.channel, store::keeper_note); });
    }
    receiving_.close(context_);
    context_.connection.reset();
    context_.threads->close(finished);
    context_.report(level::info, "stopped",
                    finished ? "all handlers finished" : "some handlers did not finish");
}

}  // namespace postrider::working
