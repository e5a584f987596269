#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

#include "pg/connection.hpp"

namespace postrider::pg {

/// Ends calls that take too long by cutting their connection: the only thing that helps against a
/// server that keeps the connection open and never answers. One thread for any number of calls. A
/// session that is closed while it is watched ends for the server with its guard.
class watchdog {
  public:
    using clock = std::chrono::steady_clock;

    watchdog();
    watchdog(const watchdog&) = delete;
    watchdog& operator=(const watchdog&) = delete;
    ~watchdog();

  private:
    struct call {
        int socket;  ///< a descriptor of its own: libpq may close its own and others reuse the
                     ///< number
        bool own;
        clock::time_point deadline;
        bool last;
        bool cut = false;
    };

  public:
    enum class urgency { usual, last_words };

    /// While it lives the calls on `session` are watched, all together for `patience`.
    class guard {
      public:
        /// `cut` becomes true, at the end, when the connection was cut.
        guard(watchdog& by, const connection& session, std::chrono::milliseconds patience,
              urgency how = urgency::usual, bool* cut = nullptr);
        guard(const guard&) = delete;
        guard& operator=(const guard&) = delete;
        ~guard();

      private:
        watchdog& by_;
        bool* cut_;
        std::list<call>::iterator call_;
    };

    /// Ends all calls that are being watched now, except those with urgency::last_words.
    void cut_all();

  private:
    void watch();

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::list<call> calls_;
    clock::time_point next_look_ = clock::time_point::max();  ///< when the thread wakes by itself
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace postrider::pg
