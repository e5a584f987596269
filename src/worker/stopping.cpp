// How the coordinator comes to an end.
#include "store/doorbell.hpp"
#include "store/workers.hpp"
#include "worker/coordinator.hpp"

namespace postrider::working {
namespace {

template <typename Call>
void attempt(Call&& call) noexcept {
    try {
        call();
    } catch (const std::exception&) {
        // Somebody else's turn.
    }
}

}  // namespace

void coordinator::request_stop(int times) noexcept {
    int before = stops_.load();
    while (before < times && !stops_.compare_exchange_weak(before, times)) {
    }
    crew_->wake().set();
}

// Nothing in hand, nothing to report, and the database had nothing more when it was asked.
bool coordinator::nothing_left(clock::time_point now) const {
    return session_ && trouble_.over(now) && dry_ && ledger_.in_hand() == 0 && !due_stale_ &&
           (!next_due_ || *next_due_ > now) && ledger_.reports(now, true).empty() &&
           ledger_.due_reports().empty() && !alerts_stale_ && !alerts_.busy();
}

void coordinator::begin_stop(clock::time_point now) {
    stopping_ = true;
    grace_over_ = now + options_.shutdown_timeout;
    say(level::info, "stopping", "no more claims; running handlers may finish");
    for (const auto& unstarted : crew_->withdraw()) {
        ledger_.give_back(unstarted, now);
    }
}

// True when there is nothing left to wait for.
bool coordinator::stopped(clock::time_point now) {
    if (!stopping_) {
        return false;
    }
    const bool idle = ledger_.in_hand() == 0;
    if (idle && ledger_.reports(now, true).empty() && ledger_.due_reports().empty()) {
        return true;
    }
    if (stops() > 1) {
        crew_->request_stop();
        return true;
    }
    if (now < grace_over_) {
        return false;
    }
    if (idle || asked_) {
        return true;
    }
    asked_ = true;
    crew_->request_stop();
    grace_over_ = now + std::min<clock::duration>(options_.shutdown_timeout, last_chance);
    return false;
}

void coordinator::leave() noexcept {
    absorb();
    const bool idle = ledger_.in_hand() == 0;
    keeper_.stop();
    listener_.close();
    alerts_.stop();
    if (session_) {
        const pg::watchdog::guard watched(crew_->environment().watchdog, *session_,
                                          std::chrono::seconds(2),
                                          pg::watchdog::urgency::last_words);
        // If one fails the others may not; in the end the database finds out by itself, when the
        // worker's time is over.
        attempt([&] { report_due(); });
        attempt([&] { trade(clock::now()); });
        attempt([&] { settle_alerts(); });
        // What still runs belongs to whoever comes next; its outcome will not count.
        attempt([&] { store::resume_worker(*session_, id_, {}, {}); });
        attempt([&] { store::unregister_worker(*session_, id_); });
        // Messages that were given back, and perhaps the keeper's place, wait for the other
        // workers.
        attempt([&] { store::wake_all(*session_, channel_, store::keeper_note); });
    }
    session_.reset();
    crew_->dismiss(idle);
    say(level::info, "stopped",
        idle ? "everything finished" : "handlers that did not finish were left behind");
}

}  // namespace postrider::working
