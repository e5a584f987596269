#pragma once

#include <nats/nats.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace postrider::relaying {

/// Closes a connection whose server sends far more bytes than a message may have without completing
/// one. libnats buffers an incomplete message of any length that the server announces.
class intake_guard {
  public:
    /// Of a connection that outlives the guard.
    explicit intake_guard(natsConnection* connection);
    intake_guard(const intake_guard&) = delete;
    intake_guard& operator=(const intake_guard&) = delete;
    ~intake_guard();

  private:
    void watch();
    bool is_too_much();

    natsConnection* connection_;
    int socket_ = -1;
    std::uint64_t messages_ = 0;  ///< whole ones so far
    std::uint64_t bytes_ = 0;     ///< that had arrived with them
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace postrider::relaying
