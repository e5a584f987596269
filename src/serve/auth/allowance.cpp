#include "serve/auth/allowance.hpp"

#include <algorithm>
#include <cmath>

namespace postrider::serve {

int allowance::take(const std::string& name) {
    const auto now = clock::now();
    const std::lock_guard lock(mutex_);
    forget_full(now);
    auto& mine = buckets_.try_emplace(name, bucket{burst_, now}).first->second;
    const std::chrono::duration<double> since = now - mine.at;
    mine.left = std::min(burst_, mine.left + since.count() * per_s_);
    mine.at = now;
    if (mine.left >= 1) {
        mine.left -= 1;
        return 0;
    }
    return std::max(1, static_cast<int>(std::ceil((1 - mine.left) / per_s_)));
}

void allowance::give_back(const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (const auto found = buckets_.find(name); found != buckets_.end()) {
        found->second.left = std::min(burst_, found->second.left + 1);
    }
}

// Bounds the memory: a bucket that is full again can be forgotten.
void allowance::forget_full(clock::time_point now) {
    constexpr std::size_t kept_max = 10000;
    if (buckets_.size() < kept_max) {
        return;
    }
    const auto full = std::chrono::duration<double>(burst_ / per_s_);
    std::erase_if(buckets_, [&](const auto& entry) { return now - entry.second.at > full; });
    if (buckets_.size() >= kept_max) {
        buckets_.clear();
    }
}

}  // namespace postrider::serve
