#pragma once

#include <algorithm>
#include <chrono>
#include <random>
#include <string>

namespace postrider::working {

/// Exponential backoff with jitter. Also detects whether a failure or a recovery is a state change.
class pause {
  public:
    using clock = std::chrono::steady_clock;

    /// It failed. True when it worked before, or failed for another reason.
    bool failed(const std::string& reason, clock::time_point now) {
        wait_ = std::clamp(wait_ * 2, shortest, longest);
        // Workers that lost the same server must not reconnect at the same time.
        until_ = now + std::chrono::duration_cast<clock::duration>(
                           wait_ * std::uniform_real_distribution<>(0.5, 1)(random_));
        const bool news = reason != reason_;
        reason_ = reason;
        return news;
    }
    /// It worked. True when it failed before.
    bool worked() {
        wait_ = clock::duration::zero();
        until_ = {};
        const bool news = !reason_.empty();
        reason_.clear();
        return news;
    }
    bool over(clock::time_point now) const { return now >= until_; }
    clock::time_point until() const { return until_; }

  private:
    static constexpr clock::duration shortest = std::chrono::seconds(1);
    static constexpr clock::duration longest = std::chrono::seconds(30);
    clock::duration wait_ = {};
    clock::time_point until_ = {};
    std::string reason_;
    std::minstd_rand random_{std::random_device{}()};
};

}  // namespace postrider::working
