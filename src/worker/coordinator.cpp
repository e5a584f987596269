#include "worker/coordinator.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <postrider/error.hpp>
#include <system_error>

namespace postrider::working {
namespace {

using std::chrono::milliseconds;

constexpr auto commit_time = milliseconds(2);  // of somebody who is about to commit without ringing

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
      listener_({options_.database, channel_, options_.patience}, crew_->environment().watchdog),
      pace_({options_.concurrency, options_.in_flight_max,
             crew_->environment().handlers.largest_batch()}) {
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
        if (stopped(clock::now())) {
            break;
        }
        stand_by();
    }
    leave();
}

// One round of everything that is to be done now.
void coordinator::turn() {
    absorb();
    auto now = clock::now();
    if (stops() > 0 && !stopping_) {
        begin_stop(now);
    }
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
    report_due();
    trade(now);
    take_due(now);
    keep_house(now);
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
    wait_until(next_turn(clock::now()));
}

// False: look again instead.
bool coordinator::prepare_to_wait() {
    look_soon_.reset();
    switch (listener_.may_wait(clock::now())) {
        case listener::answer::look_again:
            dry_ = false;
            return false;
        case listener::answer::look_soon:
            look_soon_ = clock::now() + commit_time;
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
    if (!trouble_.over(now)) {
        return stopping_ ? std::min(trouble_.until(), grace_over_) : trouble_.until();
    }
    auto next = std::min({next_beat_, next_house_, ledger_.next_report()});
    if (ledger_.in_hand() > 0) {
        next = std::min(next, next_overdue_);
    }
    if (stopping_) {
        return std::min(next, grace_over_);
    }
    next = std::min(next, next_sweep_);
    if (!listener_.is_open()) {
        next = std::min(next, listener_trouble_.until());
    }
    if (look_soon_) {
        next = std::min(next, *look_soon_);
    }
    if (due_stale_) {
        next = std::min(next, next_due_question_);
    }
    if (next_due_ && ledger_.due_in_hand() == 0 && !(quiesce_ && ledger_.in_hand() > 0)) {
        next = std::min(next, *next_due_);
    }
    if (wanted(false) > 0) {
        return now;
    }
    return next;
}

void coordinator::wait_until(clock::time_point when) {
    const auto left = std::chrono::ceil<milliseconds>(when - clock::now()).count();
    std::array<pollfd, 2> sources{pollfd{crew_->wake().descriptor(), POLLIN, 0},
                                  pollfd{listener_.socket(), POLLIN, 0}};
    const int ready =
        ::poll(sources.data(), sources.size(),
               static_cast<int>(std::clamp<std::int64_t>(left, 0, std::int64_t{60'000})));
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
    if (sources[1].revents != 0) {
        try {
            if (listener_.take_notifications()) {
                dry_ = false;
                rung_ = true;
            }
        } catch (const std::exception& problem) {
            lose_listener(problem);
        }
    }
}

void coordinator::in_trouble(const std::exception& problem) {
    const auto* ours = dynamic_cast<const error*>(&problem);
    const bool lost = ours != nullptr && ours->connection_lost();
    // Somebody removed the worker: registering it again is what connect() does.
    const bool forgotten = ours != nullptr && ours->code() == errc::worker_not_registered;
    if (lost || forgotten || (session_ && !session_->alive())) {
        session_.reset();
    }
    if (trouble_.failed(problem.what(), clock::now())) {
        say(level::warning, session_ ? "database_error" : "connection_lost", problem.what());
    }
    if (last_beat_ != clock::time_point{} && clock::now() > last_beat_ + options_.alive_for) {
        presume_lost();
    }
}

void coordinator::say(level how, std::string_view state, std::string_view message) const {
    if (!reports_) {
        return;
    }
    try {
        reports_->state_changed(
            {std::chrono::system_clock::now(), how, options_.consumer, state, message});
    } catch (const std::exception&) {
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
    } catch (const std::exception&) {
        // As above.
    }
}

pg::watchdog::guard coordinator::watch(const pg::connection& session) {
    return {crew_->environment().watchdog, session, options_.patience};
}

}  // namespace postrider::working
