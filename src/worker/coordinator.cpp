#include "worker/coordinator.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <postrider/error.hpp>
#include <system_error>

#include "base/fault_points.hpp"

namespace postrider::working {
namespace {

using std::chrono::milliseconds;

// Of somebody who is about to commit without ringing, and may take longer than that.
constexpr auto commit_time = milliseconds(2);
constexpr auto commit_time_max = milliseconds(50);
// Hands that are full for so long are no help to those who publish meanwhile.
constexpr auto full_for = milliseconds(100);

std::string channel_of(const worker_options& options) {
    if (!options.channel.empty()) {
        return options.channel;
    }
    return options.generation ? "outbox_gen_" + std::to_string(*options.generation)
                              : "outbox_default";
}

// Waiting does not help against these.
bool is_final(const std::exception& problem) {
    const auto* ours = dynamic_cast<const error*>(&problem);
    return ours != nullptr && !ours->retryable() &&
           (dynamic_cast<const usage_error*>(ours) != nullptr ||
            dynamic_cast<const schema_error*>(ours) != nullptr ||
            ours->code() == errc::permission_denied || ours->sqlstate() == "42883" ||
            ours->sqlstate() == "3F000");
}

}  // namespace

coordinator::coordinator(worker_options options, std::shared_ptr<crew> hands)
    : options_(std::move(options)),
      crew_(std::move(hands)),
      reports_(crew_->environment().reports),
      channel_(channel_of(options_)),
      listener_({options_.database, channel_,
                 std::min(options_.patience, std::max(options_.alive_for / 3, milliseconds(500)))},
                crew_->environment().watchdog),
      pace_({options_.concurrency, options_.in_flight_max,
             crew_->environment().handlers.largest_batch()}),
      alerts_(options_.alerts ? reports_ : nullptr,
              options_.alerts ? options_.alert_targets : decltype(options_.alert_targets){},
              [hands = crew_] { hands->wake().set(); }),
      due_batches_(crew_->environment().handlers.batches()) {
    crew_->slice_size(pace_.slice_size());
}

void coordinator::run(const first_news& tell) {
    bool told = false;
    while (true) {
        try {
            turn();
        } catch (const std::exception& problem) {
            if (!registered_before_ && !told && is_final(problem)) {
                tell(std::current_exception());
                return;
            }
            in_trouble(problem);
        }
        if (!std::exchange(told, true)) {
            tell(nullptr);
        }
        if (options_.until_idle && !stopping_ && nothing_left(clock::now())) {
            begin_stop(clock::now());
        }
        if (stopped(clock::now())) {
            break;
        }
        try {
            stand_by();
        } catch (const std::exception& problem) {
            in_trouble(problem);
        }
    }
    leave();
}

// One round of everything that is to be done now.
void coordinator::turn() {
    absorb();
    cut_ = false;
    auto now = clock::now();
    if (stops() > 0 && !stopping_) {
        begin_stop(now);
    }
    doubt(now);
    if (!trouble_.over(now)) {
        return;
    }
    if (!session_) {
        connect();
    }
    keep_alive(now);
    if (!listener_.is_open() && !stopping_ && listener_trouble_.over(now)) {
        connect_listener();
    }
    const bool reported = report_due();
    trade(now, reported);
    take_due(now);
    keep_house(now);
    step_replays(now);
    run_retention(now);
    tend_alerts(now);
    if (trouble_.worked()) {
        say(level::info, "recovered", "the database answers again");
    }
}

void coordinator::absorb() {
    crew_->wake().clear();
    const auto now = clock::now();
    for (auto& done : crew_->take_finished()) {
        pace_.learn(done);
        ledger_.absorb(std::move(done), now);
    }
    crew_->slice_size(pace_.slice_size());
}

// Waits for whatever comes next: a finished slice, a notification, a stop or a time.
void coordinator::stand_by() {
    const auto now = clock::now();
    stop_overdue(now);
    if (listener_.is_open() && dry_ && !stopping_ && session_ && trouble_.over(now)) {
        try {
            if (!prepare_to_wait()) {
                return;
            }
        } catch (const std::exception& problem) {
            lose_listener(problem);
        }
    }
    hand_over(now);
    wait_until(std::min(next_turn(clock::now()), crew_->spread(now)));
}

// With full hands the keeper is as good as asleep: others must be rung for what comes meanwhile.
void coordinator::hand_over(clock::time_point now) {
    const bool full = !dry_ && !stopping_ && session_ && trouble_.over(now) && wanted(true) == 0 &&
                      listener_.is_keeper() && !listener_.holds_bell();
    if (!full) {
        full_since_.reset();
        return;
    }
    full_since_ = full_since_.value_or(now);
    if (now < *full_since_ + full_for) {
        return;
    }
    full_since_ = now;
    try {
        if (listener_.may_wait(now) == listener::answer::look_again) {
            streak_ = 0;
            listener_.wake_others();  // for what came before
        }
    } catch (const std::exception& problem) {
        lose_listener(problem);
    }
}

// False: look again instead.
bool coordinator::prepare_to_wait() {
    look_soon_.reset();
    switch (listener_.may_wait(clock::now())) {
        case listener::answer::look_again:
            if (POSTRIDER_SKIPS("worker.look_after_listening")) {
                return true;
            }
            look_soon_after_ = commit_time;
            dry_ = false;
            return false;
        case listener::answer::look_soon:
            look_soon_after_ =
                std::clamp<clock::duration>(look_soon_after_ * 2, commit_time, commit_time_max);
            look_soon_ = clock::now() + look_soon_after_;
            return true;
        case listener::answer::poll:
            next_sweep_ = std::min(next_sweep_, clock::now() + options_.poll);
            return true;
        case listener::answer::wait:
            break;
    }
    return true;
}

clock::time_point coordinator::next_turn(clock::time_point now) const {
    auto next = clock::time_point::max();
    if (ledger_.in_hand() > 0) {
        next = std::min(next, next_overdue_);
        next = doubted_ ? next : std::min(next, last_beat_ + options_.alive_for);
    }
    if (stopping_) {
        next = std::min(next, grace_over_);
    }
    if (!trouble_.over(now)) {
        return std::min(next, trouble_.until());
    }
    next = std::min({next, next_beat_, ledger_.next_report()});
    // Below is what nobody who stops does any more: to wait for it would be to turn in circles.
    if (stopping_) {
        return next;
    }
    if (wanted(false) > 0) {
        return now;
    }
    next =
        std::min({next, next_house_, next_sweep_, next_due_turn(), next_replay_, next_retention_});
    if (!alerts_.empty()) {
        next = std::min(next, next_alerts_);
    }
    if (!listener_.is_open()) {
        next = std::min(next, listener_trouble_.until());
    } else if (dry_) {
        next = std::min(next, listener_.next_try());
    }
    if (look_soon_) {
        next = std::min(next, *look_soon_);
    }
    return full_since_ ? std::min(next, *full_since_ + full_for) : next;
}

// When take_due() has something to do.
clock::time_point coordinator::next_due_turn() const {
    auto next = clock::time_point::max();
    if (ledger_.running_alone()) {
        return next;
    }
    if (due_stale_) {
        next = next_due_question_;
    }
    if (quiesce_ && ledger_.in_hand() > 0) {
        return std::min(next, quiesce_over_);
    }
    // Who wished for a free hand is woken.
    const bool waits = wished_ && crew_->free_hands() <= 0;
    return next_due_ && !waits ? std::min(next, *next_due_) : next;
}

void coordinator::wait_until(clock::time_point when) {
    if (hear(listener_.may_have_heard())) {
        return;
    }
    constexpr auto longest = std::chrono::minutes(1);
    const auto before = clock::now();
    const auto left = std::chrono::ceil<milliseconds>(std::min(when, before + longest) - before);
    std::array<pollfd, 2> sources{pollfd{crew_->wake().descriptor(), POLLIN, 0},
                                  pollfd{listener_.socket(), POLLIN, 0}};
    const int ready = ::poll(sources.data(), sources.size(),
                             static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready < 0 && errno != EINTR) {
        throw std::system_error(errno, std::generic_category(), "poll");
    }
    const auto now = clock::now();
    if (look_soon_ && now >= *look_soon_) {
        look_soon_.reset();
        dry_ = false;
    }
    if (now >= next_sweep_) {
        next_sweep_ = now + (listener_.is_open() && !deaf_ ? options_.sweep : options_.poll);
        dry_ = false;
        due_stale_ = true;
    }
    hear(sources[1].revents != 0);
}

// True when somebody rang.
bool coordinator::hear(bool something) {
    try {
        if (something && listener_.is_open() && listener_.take_notifications()) {
            dry_ = false;
            rung_ = true;
            if (listener_.heard_of_replay()) {
                next_replay_ = {};
            }
            return true;
        }
    } catch (const std::exception& problem) {
        lose_listener(problem);
    }
    return false;
}

void coordinator::in_trouble(const std::exception& problem) {
    const auto* ours = dynamic_cast<const error*>(&problem);
    const bool lost = (ours != nullptr && ours->connection_lost()) ||
                      (session_ && !session_->alive()) || (ours == nullptr && !session_);
    // What does not pass by itself is something about the session, as far as we can help it: a plan
    // of functions that were replaced, a server that became a standby, a worker that somebody
    // removed. connect() puts all of it right, and gives back a claim whose answer was lost here.
    if (lost || ours == nullptr || !ours->retryable()) {
        session_.reset();
    }
    const auto why =
        std::exchange(cut_, false)
            ? std::string("no answer in time, so the connection was given up: ") + problem.what()
            : std::string(problem.what());
    if (trouble_.failed(why, clock::now())) {
        say(level::warning, lost ? "connection_lost" : "database_error", why);
    }
    wish_for_hand(false);  // nothing can be claimed: hands are for what is there
    // A keeper that cannot claim must not keep others from being rung.
    if (trouble_.again() && listener_.is_keeper()) {
        listener_.close();
    }
    doubt(clock::now());
}

void coordinator::say(level how, std::string_view state, std::string_view message) const {
    if (!reports_) {
        return;
    }
    try {
        reports_->state_changed(
            {std::chrono::system_clock::now(), how, options_.consumer, state, message});
    } catch (...) {
        // A sink that fails must not stop the worker.
    }
}

void coordinator::measure(std::string_view operation, clock::time_point began) const {
    if (!reports_) {
        return;
    }
    try {
        reports_->figures({.consumer = options_.consumer,
                           .in_flight = ledger_.in_hand(),
                           .listening = listener_.is_open() && !deaf_,
                           .keeper = listener_.is_keeper(),
                           .operation = operation,
                           .operation_time = clock::now() - began});
    } catch (...) {
        // As above.
    }
}

pg::watchdog::guard coordinator::watch(const pg::connection& session) {
    return {crew_->environment().watchdog, session, options_.patience, pg::watchdog::urgency::usual,
            &cut_};
}

}  // namespace postrider::working
