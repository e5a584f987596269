#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <unordered_map>

namespace postrider::serve {

/// Rate limit per name, a token bucket: `per_s` per second, `burst` at once.
class allowance {
  public:
    allowance(double per_s, double burst) : per_s_(per_s), burst_(burst) {}

    /// Takes one; returns 0, or the seconds until one is available.
    int take(const std::string& name);
    /// Undoes one take().
    void give_back(const std::string& name);

  private:
    using clock = std::chrono::steady_clock;
    struct bucket {
        double left;
        clock::time_point at;
    };
    void forget_full(clock::time_point now);

    double per_s_;
    double burst_;
    std::mutex mutex_;
    std::unordered_map<std::string, bucket> buckets_;
};

}  // namespace postrider::serve
