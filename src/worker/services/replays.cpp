#include "worker/services/replays.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "worker/coordinator/session_settings.hpp"

namespace postrider::working {
namespace {

// Items per step, some 20 ms: a larger step would delay claims that need the same locks.
constexpr int step_size = 400;
constexpr auto replay_look_interval = std::chrono::seconds(10);
constexpr auto without_own_connection = std::chrono::minutes(1);
// Claims wait meanwhile, and a pooler may be full.
constexpr auto own_connection_within = std::chrono::seconds(2);

}  // namespace

void replays::run(worker_context& context, clock::time_point now) {
    if (context.stopping) {
        stop();
        return;
    }
    if (under_way_) {
        end_step(context, now);
    }
    if (under_way_ || now < next_) {
        return;
    }
    next_ = now + replay_look_interval;
    if (moving_ && now >= here_until_) {
        begin_step(context, now);
    } else {
        step_here(context);
    }
}

void replays::stop() noexcept {
    mover_.reset();
    under_way_ = false;
    moving_ = false;
}

void replays::step_here(worker_context& context) {
    auto& session = context.session();
    const auto watched = context.watch(session);
    began_ = clock::now();
    take(context, store::replay_step(session, {}, step_size));
}

void replays::begin_step(worker_context& context, clock::time_point now) {
    try {
        if (!mover_) {
            mover_.emplace(context.options.database);
            const auto watched = context.watch(*mover_, own_connection_within);
            mover_->exec(session_settings);
            end_with_client(*mover_);  // a step that is given up, also one that waits for a lock
        }
        store::send_replay_step(*mover_, step_size);
        began_ = now;
        give_up_at_ = now + context.options.call_timeout;
        under_way_ = true;
        reported_ = false;
    } catch (const std::exception& problem) {
        if (!std::exchange(reported_, true)) {
            context.report(level::warning, "replay_step",
                           std::string("steps of replays run between claims, because they have no "
                                       "connection of their own: ") +
                               problem.what());
        }
        stop();
        here_until_ = now + without_own_connection;
        next_ = {};
    }
}

void replays::end_step(worker_context& context, clock::time_point now) {
    try {
        const auto answer = mover_->poll_answer();
        if (!answer && now >= give_up_at_) {
            throw std::runtime_error("a step of a replay takes longer than the call timeout");
        }
        if (answer) {
            under_way_ = false;
            take(context, store::replay_moves(*answer));
        }
    } catch (const std::exception& problem) {
        context.report(level::warning, "replay_step", problem.what());
        stop();
        here_until_ = now + without_own_connection;
    }
}

void replays::take(worker_context& context, std::span<const store::replay_moved> steps) {
    moving_ = stepped(steps, clock::now());
    context.due_now = moving_ || context.due_now;
    if (!moving_) {
        mover_.reset();
    }
    if (!steps.empty()) {
        context.measure("replay_step", began_);
    }
}

bool replays::stepped(std::span<const store::replay_moved> steps, clock::time_point now) {
    bool moved = false;
    for (const auto& step : steps) {
        moved = moved || step.moved > 0;
        if (step.again_in) {
            next_ = std::min(next_, now + *step.again_in);
        }
    }
    return moved;
}

}  // namespace postrider::working
