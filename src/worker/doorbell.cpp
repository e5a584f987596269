// Whether NOTIFY announces the channel's messages: by a keeper of another process, or by our own.
#include "store/doorbell.hpp"

#include <utility>

#include "worker/coordinator.hpp"

namespace postrider::working {
namespace {

// With the time after which the server ends the connection of a stopped keeper: less than 5 s.
constexpr auto ask_every = std::chrono::milliseconds(1800);

}  // namespace

// A worker that receives no notifications never becomes the keeper: behind a pooler in transaction
// mode its locks would stay on a connection that belongs to no client.
bool coordinator::watches_doorbell() const {
    return listener_.is_open() && !deaf_ && !stopping_ && !keeper_.running();
}

bool coordinator::announced() const {
    return listener_.is_open() && !deaf_ && (keeper_.serving() ? keeper_.announces() : kept_);
}

void coordinator::tend_doorbell(clock::time_point now) {
    if (watches_doorbell() && now >= next_doorbell_) {
        next_doorbell_ = now + ask_every;
        try {
            ask_doorbell();
        } catch (const std::exception& problem) {
            lose_listener(problem);
        }
    }
    if (std::exchange(was_announced_, announced()) && !was_announced_) {
        next_sweep_ = std::min(next_sweep_, now + options_.poll);
    }
}

void coordinator::ask_doorbell() {
    if (const auto problem = keeper_.take_problem(); !problem.empty()) {
        kept_ = false;
        if (keeper_trouble_.failed(problem, clock::now())) {
            say(level::warning, "keeper_lost", "the doorbell cannot be kept: " + problem);
        }
    }
    const auto doorbell = listener_.doorbell();
    switch (doorbell.state) {
        case store::announcement::kept:
            kept_ = true;
            break;
        case store::announcement::unkept:
            keeper_.start();
            return;
        case store::announcement::poll:
            kept_ = false;
            break;
        case store::announcement::unserved:
            kept_ = false;
            if (keeper_trouble_.failed(doorbell.holder, clock::now())) {
                say(level::warning, "keeper_unserved",
                    "a connection holds the keeper's lock of " + channel_ +
                        " and does not serve: " + doorbell.holder + "; looking for work every " +
                        std::to_string(options_.poll.count()) +
                        " ms until it is gone. End it with pg_terminate_backend()");
            }
            return;
    }
    if (keeper_trouble_.worked()) {
        say(level::info, "keeper_found", "notifications announce messages again");
    }
}

}  // namespace postrider::working
