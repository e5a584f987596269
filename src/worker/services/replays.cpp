#include "worker/services/replays.hpp"

#include <algorithm>

namespace postrider::working {
namespace {

// Items per step, some 20 ms: a larger step would delay claims.
constexpr int step_size = 400;
constexpr auto replay_look_interval = std::chrono::seconds(10);

}  // namespace

void replays::run(worker_context& context, clock::time_point now) {
    if (context.stopping || now < next_) {
        return;
    }
    next_ = now + replay_look_interval;
    auto& session = context.session();
    const auto watched = context.watch(session);
    const auto began = clock::now();
    const auto steps = store::replay_step(session, {}, step_size);
    context.due_changed = stepped(steps, clock::now()) || context.due_changed;
    if (!steps.empty()) {
        context.measure("replay_step", began);
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
