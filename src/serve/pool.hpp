#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pg/connection.hpp"
#include "pg/watchdog.hpp"

namespace postrider::serve {

/// A pool of database sessions. The next request that needs a lost session reconnects; while the
/// database is unavailable, requests fail immediately.
class pool {
  public:
    pool(std::string conninfo, int sessions, std::chrono::milliseconds statement_time);

    /// Waits for a free session; throws connection_error when none is available.
    template <typename Work>
    auto with(Work&& work) {
        lease held(*this);
        const pg::watchdog::guard watched(watchdog_, *held.session, patience());
        return work(*held.session);
    }

    /// Whether the database role of the sessions is an operator; true until the first session is
    /// opened.
    bool may_change() const { return may_change_; }
    void look_at_rights(pg::connection& session);

  private:
    struct lease {
        explicit lease(pool& from);
        lease(const lease&) = delete;
        lease& operator=(const lease&) = delete;
        ~lease();
        pool& owner;
        std::unique_ptr<pg::connection> session;
    };
    std::unique_ptr<pg::connection> open();
    /// Longer than statement_timeout, which should end a statement first.
    std::chrono::milliseconds patience() const { return statement_time_ + std::chrono::seconds(2); }

    std::string conninfo_;
    std::chrono::milliseconds statement_time_;
    pg::watchdog watchdog_;
    std::atomic<bool> may_change_{true};
    std::mutex mutex_;
    std::condition_variable freed_;
    std::vector<std::unique_ptr<pg::connection>> idle_;
    int left_;  ///< sessions that may still be opened or taken
};

}  // namespace postrider::serve
