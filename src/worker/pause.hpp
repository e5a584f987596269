#pragma once

#include <algorithm>
#include <chrono>
#include <string>

namespace postrider::working {

/// Something that fails now and then: how long to leave it alone, and whether there is news.
class pause {
  public:
    using clock = std::chrono::steady_clock;

    /// It failed. True when that is news: it worked before, or failed for another reason.
    bool failed(const std::string& reason, clock::time_point now) {
        wait_ = std::clamp(wait_ * 2, shortest, longest);
        until_ = now + wait_;
        const bool news = reason != reason_;
        reason_ = reason;
        return news;
    }
    /// It worked. True when that is news.
    bool worked() {
        wait_ = clock::duration::zero();
        until_ = {};
        const bool news = !reason_.empty();
        reason_.clear();
        return news;
    }
    bool over(clock::time_point now) const { return now >= until_; }
    clock::time_point until() const { return until_; }
    bool troubled() const { return !reason_.empty(); }

  private:
    static constexpr clock::duration shortest = std::chrono::seconds(1);
    static constexpr clock::duration longest = std::chrono::seconds(30);
    clock::duration wait_ = {};
    clock::time_point until_ = {};
    std::string reason_;
};

}  // namespace postrider::working
