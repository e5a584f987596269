#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "pg/connection.hpp"
#include "pg/watchdog.hpp"

namespace postrider::serve {

/// A pool of database sessions. The next request that needs a lost session reconnects; while the
/// database is unavailable, requests fail immediately. One client has at most half of the sessions
/// at once, so that its slow queries do not keep the others waiting. Of waiting clients, the one
/// with the fewest sessions is next, and of several such clients the one that has waited longest,
/// no matter how many requests each of them has. One session is left to the server itself, which
/// reads figures and looks up tokens.
class pool {
  public:
    pool(std::string conninfo, int sessions, std::chrono::milliseconds statement_time);

    /// The client that this thread takes sessions for from now on; empty: the server itself.
    static void act_for(std::string client);
    /// During its lifetime, this thread takes sessions for the server itself: several clients wait
    /// for the result.
    class own_work {
      public:
        own_work();
        own_work(const own_work&) = delete;
        own_work& operator=(const own_work&) = delete;
        ~own_work();

      private:
        std::string client_;
    };

    /// Waits for a free session; throws connection_error when none is available.
    template <typename Work>
    auto with(Work&& work) {
        lease held(*this);
        const pg::watchdog::guard watched(watchdog_, *held.session, call_timeout());
        return work(*held.session);
    }

    /// Whether the database role of the sessions is an operator; true until the first session is
    /// opened.
    bool may_change() const { return may_change_; }
    void look_at_rights(pg::connection& session);

  private:
    struct client {
        int taken = 0;
        int waiting = 0;  ///< requests without a session yet
        /// Place in the queue of clients with as many sessions: `turns_` when the client began to
        /// wait, or last got or gave back a session.
        std::uint64_t turn = 0;
        bool is_before(const client& other) const {
            return std::tie(taken, turn) < std::tie(other.taken, other.turn);
        }
    };
    using client_table = std::map<std::string, client>;
    struct lease {
        explicit lease(pool& from);
        lease(const lease&) = delete;
        lease& operator=(const lease&) = delete;
        ~lease();
        pool& owner;
        std::unique_ptr<pg::connection> session;
        /// In `clients_`; its end: the session is for the server itself.
        client_table::iterator holder;
    };
    bool may_begin(const client& mine) const;
    client_table::iterator take(std::unique_lock<std::mutex>& lock);
    client_table::iterator take_for_client(std::unique_lock<std::mutex>& lock);
    void give_back(client_table::iterator holder);
    void drop_if_idle(client_table::iterator known);
    std::unique_ptr<pg::connection> open();
    /// Longer than statement_timeout, which should end a statement first.
    std::chrono::milliseconds call_timeout() const {
        return statement_time_ + std::chrono::seconds(2);
    }

    std::string conninfo_;
    std::chrono::milliseconds statement_time_;
    pg::watchdog watchdog_;
    std::atomic<bool> may_change_{true};
    std::mutex mutex_;
    std::condition_variable freed_;
    std::vector<std::unique_ptr<pg::connection>> idle_;
    std::uint64_t turns_ = 0;
    int left_;               ///< sessions that may still be opened or taken
    client_table clients_;   ///< those that have a session or wait for one
    const int share_;        ///< of one client
    int of_clients_ = 0;     ///< sessions that all of them have
    const int clients_max_;  ///< of these; the rest is for the server itself
};

}  // namespace postrider::serve
