#include "worker/due/run_alone.hpp"

#include <algorithm>
#include <utility>

namespace postrider::working {
namespace {

constexpr std::chrono::steady_clock::duration shortest = std::chrono::seconds(1);

}  // namespace

bool run_alone::run(clock::time_point now, bool idle, clock::duration longest_handler) {
    if (idle) {
        draining_ = false;
    } else if (draining_ && now >= until_) {
        draining_ = false;
        next_ = now + length_;
    } else if (!draining_ && now >= next_) {
        length_ = std::clamp(length_ * 2, shortest, std::max(longest_handler, shortest));
        until_ = now + length_;
        draining_ = true;
        return true;
    }
    return false;
}

void run_alone::claimed(clock::time_point now) {
    if (std::exchange(draining_, false)) {
        length_ = {};
        next_ = now + shortest;
    }
}

}  // namespace postrider::working
