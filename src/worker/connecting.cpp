// The coordinator's sessions, its signs of life and its housekeeping.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <postrider/error.hpp>
#include <postrider/version.hpp>

#include "base/fault_points.hpp"
#include "migrate/recorded.hpp"
#include "store/maintain.hpp"
#include "store/settle.hpp"
#include "store/workers.hpp"
#include "worker/coordinator.hpp"
#include "worker/session_settings.hpp"

namespace postrider::working {
namespace {

constexpr auto maintain_every = std::chrono::minutes(1);
constexpr auto house_at_least_every = std::chrono::seconds(30);
constexpr auto overdue_every = std::chrono::seconds(1);

std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

// A worker needs a session of its own: prepared statements, LISTEN and the keeper's lock. Behind a
// pooler the process id of the protocol is not the server's; whether the pooler keeps sessions
// together shows when a notification arrives.
void require_own_session(pg::connection& session, listener& probing) {
    const auto pid = session.exec("select pg_backend_pid()").get<int>(0, 0);
    if (pid == session.backend_pid()) {
        return;
    }
    probing.open();
    const bool heard = probing.probe(session);
    probing.close();
    if (!heard) {
        throw usage_error(
            "this connection goes through a pooler that does not keep sessions together, such as "
            "PgBouncer in transaction mode: connect the worker to the server itself, or to a pool "
            "in session mode. Producers can use the pooler");
    }
}

}  // namespace

void coordinator::connect() {
    pg::connection fresh(options_.database);
    const auto watched = watch(fresh);
    require_own_session(fresh, listener_);
    fresh.exec(notice_vanished_clients);
    // A claim or a report that a crash of the server forgets is repeated, never wrong.
    fresh.exec("set synchronous_commit = off; set search_path = pg_catalog, pg_temp");
    if (!registered_before_) {
        migrate::require_schema(fresh);
    }
    store::require_deployment(fresh, options_.deployment);
    const auto began = clock::now();
    store::register_worker(fresh, {.worker = id_,
                                   .consumer = options_.consumer,
                                   .handlers = crew_->environment().handlers.registrations(),
                                   .channel = channel_,
                                   .generation = options_.generation,
                                   .alive_for = options_.heartbeat_timeout,
                                   .host = host_name(),
                                   .version = std::string(version()),
                                   .from_beginning = options_.from_beginning});
    store::prepare_exchange(fresh);
    store::prepare_due(fresh);
    if (registered_before_) {
        store::resume_worker(fresh, id_, ledger_.lease_ids(), ledger_.delivery_ids());
    }
    const auto difference = registered_before_ ? std::string{} : store::displaced(fresh);
    session_.emplace(std::move(fresh));
    last_beat_ = began;
    next_beat_ = {};  // what is lost meanwhile must be known before anything else
    dry_ = false;
    due_stale_ = true;
    alert_targets_known_ = false;
    next_alerts_ = {};
    next_replay_ = {};
    next_sweep_ = clock::now() + options_.sweep;
    if (!std::exchange(registered_before_, true)) {
        say(level::info, "started", "working for " + options_.consumer + " on " + channel_);
        if (!difference.empty()) {
            say(level::warning, "displaced",
                "the server looks like a copy: " + difference +
                    ". If it is one, stop this worker, or messages are handled here and by the "
                    "original; then run `postrider adopt NAME`");
        }
    }
}

void coordinator::connect_listener() {
    try {
        listener_.open();
        const auto watched = watch(session());
        deaf_ = !listener_.probe(session());
    } catch (const std::exception& problem) {
        lose_listener(problem);
        return;
    }
    if (!POSTRIDER_SKIPS("worker.look_after_listening")) {
        dry_ = false;  // what came before listening did not ring for us
    }
    if (listener_trouble_.worked()) {
        say(level::info, "listening", "notifications are heard again");
    }
    if (deaf_) {
        say(level::warning, "deaf",
            "notifications do not arrive, probably because of a pooler in transaction mode; "
            "looking for work every " +
                std::to_string(options_.poll.count()) +
                " ms instead. Connect the worker to the server itself");
        next_sweep_ = clock::now() + options_.poll;
    }
}

void coordinator::lose_listener(const std::exception& problem) {
    listener_.close();
    next_sweep_ = std::min(next_sweep_, clock::now() + options_.poll);
    if (listener_trouble_.failed(problem.what(), clock::now())) {
        say(level::warning, "listener_lost", problem.what());
    }
}

void coordinator::keep_alive(clock::time_point now) {
    if (now < next_beat_) {
        return;
    }
    const auto began = clock::now();
    const auto watched = watch(session());
    const auto held = ledger_.lease_ids();
    const auto gone = store::heartbeat(session(), id_, held);
    measure("heartbeat", began);
    last_beat_ = began;
    next_beat_ = began + options_.heartbeat_timeout / 3;
    doubted_ = false;
    for (const auto id : gone) {
        if (POSTRIDER_SKIPS("worker.doubt")) {
            break;
        }
        const auto leases = ledger_.leases();
        const auto found = std::ranges::find_if(
            leases, [&](const auto& batch) { return !batch->lost && batch->lease().id == id; });
        // One that only waits to be reported may be closed because its report arrived and the
        // answer did not: reporting it again tells.
        if (found != leases.end() && (*found)->unfinished > 0) {
            drop(*found);
        }
    }
    extend_leases(now);
    give_back_waiting(now);
    for (const auto& name : store::changed_handlers(session(), id_)) {
        say(level::warning, "handler_changed",
            "another worker has registered handler " + name +
                " with other event types; this one gets no new messages for it. Run one version "
                "of the program, and start this worker again");
    }
}

// Messages that wait for a thread, or run within their time, keep their lease.
void coordinator::extend_leases(clock::time_point now) {
    const auto length = crew_->environment().handlers.longest_timeout() + options_.heartbeat_timeout;
    const auto leases = ledger_.leases();
    for (const auto& batch : leases) {
        if (batch->lost || batch->overdue || batch->deadline > now + options_.heartbeat_timeout) {
            continue;
        }
        if (store::extend(session(), id_, batch->lease(), length)) {
            batch->deadline = now + length;
        } else {
            drop(batch);
        }
    }
}

// Deliveries have no extensions: one that no thread could begin in time would be charged with a
// crash although nothing ran.
void coordinator::give_back_waiting(clock::time_point now) {
    const auto dues = ledger_.dues();
    for (const auto& batch : dues) {
        if (now < batch->begin_before) {
            continue;
        }
        for (const auto& unstarted : crew_->withdraw(batch.get())) {
            ledger_.give_back(unstarted, now);
        }
    }
}

// Nobody has heard of us for so long that others may have what we hold: nothing of it is begun any
// more, and what runs is asked to stop. Whether it counts is for the database to say.
void coordinator::doubt(clock::time_point now) {
    if (doubted_ || ledger_.in_hand() == 0 || now < last_beat_ + options_.heartbeat_timeout ||
        POSTRIDER_SKIPS("worker.doubt")) {
        return;
    }
    doubted_ = true;
    for (const auto* held : {&ledger_.leases(), &ledger_.dues()}) {
        for (const auto& batch : std::vector(*held)) {
            abandon(batch);
        }
    }
}

void coordinator::abandon(const std::shared_ptr<held_batch>& batch) {
    batch->abandoned = true;
    for (const auto& unstarted : crew_->withdraw(batch.get())) {
        ledger_.give_back(unstarted, clock::now());
    }
    crew_->request_stop(batch.get());
}

void coordinator::drop(const std::shared_ptr<held_batch>& lost) {
    say(level::warning, "lease_lost",
        "a lease was lost; its handlers are asked to stop and their outcome does not count");
    ledger_.lost(lost);
    abandon(lost);
}

void coordinator::keep_house(clock::time_point now) {
    if (now < next_house_ || stopping_) {
        return;
    }
    next_house_ = now + std::min<clock::duration>(options_.heartbeat_timeout / 3, house_at_least_every);
    {
        const auto watched = watch(session());
        const auto taken_back = store::reap(session());
        due_stale_ = due_stale_ || taken_back.leases + taken_back.deliveries > 0;
        if (taken_back.deliveries > 0) {
            expect_alerts();
        }
    }
    if (now >= next_maintain_) {
        next_maintain_ = now + maintain_every;
        // Partitions take longer than an answer, and must leave time for the next sign of life.
        const pg::watchdog::guard watched(crew_->environment().watchdog, session(),
                                          std::max(options_.call_timeout, options_.heartbeat_timeout / 2),
                                          pg::watchdog::urgency::usual, &cut_);
        // It may have moved items of a replay, and rings for nobody who is awake.
        due_stale_ = !store::maintain(session()).empty() || due_stale_;
        next_retention_ = now;
    }
    if (listener_.is_open()) {
        try {
            watch_notifications(listener_.check());
        } catch (const std::exception& problem) {
            lose_listener(problem);
        }
    }
}

void coordinator::stop_overdue(clock::time_point now) {
    if (now < next_overdue_) {
        return;
    }
    next_overdue_ = now + overdue_every;
    for (const auto& [handler, of] : crew_->stop_overdue(now)) {
        say(level::warning, "handler_overdue",
            handler + " runs longer than its timeout and was asked to stop");
        ledger_.overdue(of);
    }
}

}  // namespace postrider::working
