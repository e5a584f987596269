#include "worker/doorbell/doorbell_duty.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <postrider/error.hpp>
#include <system_error>

#include "store/work/doorbell.hpp"
#include "worker/coordinator/session_settings.hpp"

namespace postrider::working {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The server ends the connection of a keeper process that was stopped (SIGSTOP).
constexpr const char* keeper_settings =
    "set idle_session_timeout = '3s'; set application_name = 'postrider keeper'";
constexpr auto beat = seconds(2);
constexpr auto relay_every = milliseconds(20);
constexpr auto look_soonest = milliseconds(20);
constexpr auto look_when_lively = milliseconds(100);
constexpr int lively = 5;  // rings since the last look
// Transactions waiting for the lock of NOTIFY at one instant: NOTIFY slows publishing down.
constexpr int many_waiters = 2;
constexpr auto shortest_relays = seconds(1);
constexpr auto longest_relays = seconds(16);
constexpr auto rate_window = milliseconds(500);
constexpr double calm_per_s = 100;  // messages of all channels

}  // namespace

doorbell_duty::doorbell_duty(place where, pg::watchdog& watchdog)
    : where_(std::move(where)),
      watchdog_(watchdog),
      desk_(where_.database),
      bell_(where_.database),
      relay_period_(shortest_relays) {}

bool doorbell_duty::keep() {
    const pg::watchdog::guard watched(watchdog_, desk_, where_.call_timeout);
    desk_.exec(notice_vanished_clients);
    desk_.exec(keeper_settings);
    bell_.exec(notice_vanished_clients);
    if (!store::doorbell_keep(desk_, where_.channel)) {
        return false;
    }
    desk_.listen(where_.channel);
    return true;
}

void doorbell_duty::serve(control& with) {
    begin_hold(clock::now());
    while (!with.stopping) {
        wait(with.wake);
        const auto now = clock::now();
        if (state_ == state::waiting && bell_.poll_answer()) {
            state_ = state::held;
            next_turn_ = now + beat;
        }
        read_notifications(now);
        if (now < next_turn_) {
            continue;
        }
        if (state_ == state::relaying) {
            relay_turn(now);
        } else {
            look(now, with);
        }
    }
}

void doorbell_duty::leave() noexcept {
    try {
        const pg::watchdog::guard watched(watchdog_, desk_, where_.call_timeout);
        end_hold();
        desk_.exec("select pg_advisory_unlock_all()");
    } catch (const std::exception&) {
        // The server releases the locks when it notices the end of the connections.
    }
}

void doorbell_duty::wait(const wake_event& stop) {
    std::array<pollfd, 3> sources{pollfd{stop.descriptor(), POLLIN, 0},
                                  pollfd{desk_.socket(), POLLIN, 0},
                                  pollfd{bell_.socket(), POLLIN, 0}};
    const auto left = std::chrono::ceil<milliseconds>(next_turn_ - clock::now());
    if (::poll(sources.data(), sources.size(),
               static_cast<int>(std::max<std::int64_t>(left.count(), 0))) < 0 &&
        errno != EINTR) {
        throw std::system_error(errno, std::generic_category(), "poll");
    }
    if (state_ != state::waiting && sources[2].revents != 0) {
        bell_.wait_notification(milliseconds(0));  // throws if the connection is lost
    }
}

void doorbell_duty::read_notifications(clock::time_point now) {
    int rings = 0;
    while (const auto note = desk_.wait_notification(milliseconds(0))) {
        rings += note->payload == store::relay_note ? 0 : 1;
    }
    const bool flooded = rate_.add(rings, now);
    if (state_ == state::relaying || state_ == state::off) {
        return;
    }
    rings_since_look_ += rings;
    if (flooded) {
        begin_relays(now);
    } else if (rings_since_look_ >= lively) {
        next_turn_ = std::min<clock::time_point>(next_turn_, last_look_ + look_when_lively);
    }
}

void doorbell_duty::look(clock::time_point now, control& with) {
    const pg::watchdog::guard watched(watchdog_, desk_, where_.call_timeout);
    auto facts = store::doorbell_watch(desk_, where_.channel);
    const bool crowded = facts.commit_waiters >= many_waiters && rings_since_look_ >= lively;
    rings_since_look_ = 0;
    last_look_ = now;
    next_turn_ = now + beat;
    const bool announces = facts.wake != "never";
    if (with.announces.exchange(announces) != announces) {
        with.changed();
    }
    if (facts.wake != "doorbell") {
        end_hold();
        state_ = state::off;
    } else if (state_ == state::off) {
        begin_hold(now);
    } else if (crowded) {
        begin_relays(now);
    } else if (state_ == state::waiting) {
        look_at_silent(std::move(facts.silent), now);
    } else if (now > hold_began_ + beat) {
        relay_period_ = shortest_relays;
    }
}

// A transaction that has ended may have committed. Before the first look others may have ended,
// too.
void doorbell_duty::look_at_silent(std::vector<std::string> silent, clock::time_point now) {
    const bool ended = !silent_ || std::ranges::any_of(*silent_, [&](const auto& one) {
        return std::ranges::find(silent, one) == silent.end();
    });
    if (ended) {
        relay();
    }
    silent_ = std::move(silent);
    // The longer a transaction has been open, the less often the keeper looks.
    next_turn_ = now + std::clamp<clock::duration>((now - hold_began_) / 4, look_soonest, beat);
}

void doorbell_duty::begin_hold(clock::time_point now) {
    bell_.send("select postrider.doorbell_hold($1)", pg::params(where_.channel));
    state_ = state::waiting;
    hold_began_ = now;
    last_look_ = now;
    silent_.reset();
    rate_.start(now);
    rings_since_look_ = 0;
    next_turn_ = now + look_soonest;
}

void doorbell_duty::end_hold() {
    const pg::watchdog::guard watched(watchdog_, bell_, where_.call_timeout);
    if (state_ == state::waiting) {
        bell_.cancel();
        try {
            while (!bell_.poll_answer()) {
                pollfd source{bell_.socket(), POLLIN, 0};
                ::poll(&source, 1, -1);
            }
        } catch (const error& problem) {
            if (problem.connection_lost()) {
                throw;
            }
        }
        state_ = state::held;  // the grant may have come before the cancel request
    }
    if (state_ == state::held) {
        store::doorbell_release(bell_, where_.channel);
    }
    state_ = state::off;
}

void doorbell_duty::begin_relays(clock::time_point now) {
    end_hold();
    state_ = state::relaying;
    relays_until_ = now + relay_period_;
    relay_period_ = std::min<clock::duration>(relay_period_ * 2, longest_relays);
    seq_at_ = now;
    seq_ = relay();
    next_turn_ = now + relay_every;
}

void doorbell_duty::relay_turn(clock::time_point now) {
    const auto seq = relay();
    next_turn_ = now + relay_every;
    bool calm = now >= relays_until_;
    if (now >= seq_at_ + rate_window) {
        const auto rate =
            static_cast<double>(seq - seq_) / std::chrono::duration<double>(now - seq_at_).count();
        calm = calm || rate < calm_per_s;
        seq_at_ = now;
        seq_ = seq;
    }
    if (calm) {
        begin_hold(now);
    }
}

std::int64_t doorbell_duty::relay() {
    const pg::watchdog::guard watched(watchdog_, desk_, where_.call_timeout);
    return store::doorbell_relay(desk_, where_.channel);
}

}  // namespace postrider::working
