#include "worker/sources/intake_rules.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace postrider::working {
namespace {

// While the consumer is paused or a handler is held.
constexpr auto question_interval = std::chrono::seconds(1);

}  // namespace

int intake_rules::limit(const std::vector<handler>& handlers, bool all_stored) const {
    if (intake_.paused) {
        return 0;
    }
    if (!std::ranges::all_of(handlers, [&](const handler& one) { return is_held(one); })) {
        return std::numeric_limits<int>::max();
    }
    return intake_.probe && all_stored ? 1 : 0;
}

bool intake_rules::is_held(const handler& one) const {
    return std::ranges::find(intake_.held, one.name) != intake_.held.end();
}

void intake_rules::learn(store::intake answer, clock::time_point now, clock::duration interval) {
    intake_ = std::move(answer);
    next_question_ = now + (intake_.paused || !intake_.held.empty()
                                ? std::min<clock::duration>(interval, question_interval)
                                : interval);
}

}  // namespace postrider::working
