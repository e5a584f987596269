#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <postrider/worker.hpp>
#include <thread>
#include <utility>

#include "cli/stop_signal.hpp"
#include "worker/wake_event.hpp"

namespace postrider::cli {

/// Stops a worker gracefully at the first signal, and at once at the second.
class stop_watch {
  public:
    /// `also`: called after each request, with true from the second signal on.
    stop_watch(const stop_signal& stop, worker& asked, std::function<void(bool again)> also = {})
        : thread_([this, &stop, &asked, also = std::move(also)] {
              // timeout(1) and some supervisors signal both the process and its group: counts as
              // one.
              constexpr auto same = std::chrono::milliseconds(100);
              std::optional<std::chrono::steady_clock::time_point> first;
              while (stop.take(over_.descriptor())) {
                  const auto now = std::chrono::steady_clock::now();
                  if (first && now - *first < same) {
                      continue;
                  }
                  asked.request_stop();
                  const bool again = std::exchange(first, first.value_or(now)).has_value();
                  if (also) {
                      also(again);
                  }
              }
          }) {}
    stop_watch(const stop_watch&) = delete;
    stop_watch& operator=(const stop_watch&) = delete;
    ~stop_watch() { over_.set(); }

  private:
    working::wake_event over_;
    std::jthread thread_;
};

}  // namespace postrider::cli
