#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

#include "pg/connection.hpp"

namespace postrider::pg {

/// Ends calls that take too long by shutting down their socket, the only remedy for a server that
/// keeps the connection open and never answers. One thread for any number of calls. The guard holds
/// a duplicate of the socket: a session that is closed meanwhile stays open for the server until
/// the guard ends.
class watchdog {
  public:
    using clock = std::chrono::steady_clock;

    watchdog();
    watchdog(const watchdog&) = delete;
    watchdog& operator=(const watchdog&) = delete;
    ~watchdog();

  private:
    struct call {
        int socket;  ///< a duplicate: libpq may close its own, whose number is then reused
        bool own;
        clock::time_point deadline;
        bool last;
        bool cut = false;
    };

  public:
    enum class urgency { usual, shutdown };

    /// During its lifetime, calls on `session` may take `timeout` in total.
    class guard {
      public:
        /// The destructor sets `cut` when the connection was cut.
        guard(watchdog& by, const connection& session, std::chrono::milliseconds timeout,
              urgency how = urgency::usual, bool* cut = nullptr);
        guard(const guard&) = delete;
        guard& operator=(const guard&) = delete;
        ~guard();

      private:
        watchdog& by_;
        bool* cut_;
        std::list<call>::iterator call_;
    };

    /// Ends all calls that are being watched now, except those with urgency::shutdown.
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
