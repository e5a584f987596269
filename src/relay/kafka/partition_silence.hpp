#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace postrider::relaying {

/// Tells for how long a partition that has records has not handed out any. librdkafka fetches a
/// record that it cannot parse again and again, and reports no error.
class partition_silence {
  public:
    using clock = std::chrono::steady_clock;

    /// A record arrived, or none is wanted.
    void broken() { *this = {}; }
    /// All records before this end of the partition have arrived or are hidden from clients.
    void reached(std::int64_t end) {
        broken();
        reached_ = end;
    }
    /// The partition ends here, and nothing of it waits in this process. Returns true once, when
    /// that has been so for `longest`.
    bool lasts(std::int64_t end, clock::time_point now, clock::duration longest) {
        if (end <= reached_) {
            return false;
        }
        since_ = since_.value_or(now);
        return now - *since_ >= longest && !std::exchange(told_, true);
    }

  private:
    std::int64_t reached_ = 0;
    std::optional<clock::time_point> since_;
    bool told_ = false;
};

}  // namespace postrider::relaying
