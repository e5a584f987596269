#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

#include "pg/connection.hpp"

namespace postrider::pg {

/// Ends calls that take too long by cutting their connection: the only thing that helps against a
/// server that keeps the connection open and never answers. One thread for any number of calls.
class watchdog {
  public:
    using clock = std::chrono::steady_clock;

    watchdog();
    watchdog(const watchdog&) = delete;
    watchdog& operator=(const watchdog&) = delete;
    ~watchdog();

  private:
    struct call {
        int socket;
        clock::time_point deadline;
        bool last;
        bool cut = false;
    };

  public:
    enum class urgency { usual, last_words };

    /// While it lives the calls on `session` are watched, all together for `patience`.
    class guard {
      public:
        guard(watchdog& by, const connection& session, std::chrono::milliseconds patience,
              urgency how = urgency::usual);
        guard(const guard&) = delete;
        guard& operator=(const guard&) = delete;
        ~guard();
        /// The connection was cut because the time was over.
        bool cut() const;

      private:
        watchdog& by_;
        std::list<call>::iterator call_;
    };

    /// Ends whatever is being watched now, last words excepted.
    void cut_all();

  private:
    void watch();

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::list<call> calls_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace postrider::pg
