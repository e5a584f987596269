#pragma once

#include <chrono>

namespace postrider::working {

/// Rate of NOTIFY on a channel. A NOTIFY commits under a cluster-wide lock, so above a limit the
/// keeper lets producers skip it.
class ring_rate {
  public:
    using clock = std::chrono::steady_clock;

    static constexpr auto window = std::chrono::milliseconds(20);
    static constexpr int flood = 20;  ///< rings per window: 1,000 per second

    void start(clock::time_point now) {
        began_ = now;
        rings_ = 0;
    }
    /// True when the window that ends now was a flood.
    bool add(int rings, clock::time_point now) {
        rings_ += rings;
        if (now < began_ + window) {
            return false;
        }
        const bool flooded = rings_ * window >= flood * (now - began_);
        start(now);
        return flooded;
    }

  private:
    clock::time_point began_ = {};
    int rings_ = 0;
};

}  // namespace postrider::working
