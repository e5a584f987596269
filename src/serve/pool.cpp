#include "serve/pool.hpp"

#include <algorithm>
#include <postrider/error.hpp>
#include <utility>

#include "store/operate/operator_settings.hpp"
#include "store/operate/operators.hpp"

namespace postrider::serve {
namespace {

thread_local std::string acting_for;

}  // namespace

void pool::act_for(std::string client) { acting_for = std::move(client); }

pool::own_work::own_work() : client_(std::exchange(acting_for, {})) {}

pool::own_work::~own_work() { acting_for = std::move(client_); }

pool::pool(std::string conninfo, int sessions, std::chrono::milliseconds statement_time)
    : conninfo_(std::move(conninfo)),
      statement_time_(statement_time),
      left_(sessions),
      share_(std::max(1, sessions / 2)),
      clients_max_(std::max(sessions - 1, 2)) {
    // A lease gives its session back in its destructor, where an allocation must not fail.
    idle_.reserve(static_cast<std::size_t>(sessions));
}

std::unique_ptr<pg::connection> pool::open() {
    auto session = std::make_unique<pg::connection>(conninfo_);
    session->exec(std::string(store::operator_settings) +
                  ";"
                  // Estimates for views of the log are high; JIT compilation would take longer than
                  // the query.
                  " set jit = off; set application_name = 'postrider serve';"
                  " set statement_timeout = " +
                  std::to_string(statement_time_.count()) +
                  "; set lock_timeout = 5000; set idle_in_transaction_session_timeout = 30000");
    look_at_rights(*session);
    return session;
}

void pool::look_at_rights(pg::connection& session) { may_change_ = store::is_operator(session); }

bool pool::may_begin(const std::string& client) const {
    if (client.empty()) {
        return left_ > 0;
    }
    const auto found = taken_.find(client);
    return left_ > 0 && of_clients_ < clients_max_ &&
           (found == taken_.end() || found->second < share_);
}

void pool::lease::give_back() {
    ++owner.left_;
    if (mine != owner.taken_.end()) {
        --owner.of_clients_;
        if (--mine->second == 0) {
            owner.taken_.erase(mine);
        }
    }
    // Which of the waiting requests may begin depends on their clients.
    owner.freed_.notify_all();
}

pool::lease::lease(pool& from) : owner(from), mine(from.taken_.end()) {
    std::unique_lock lock(owner.mutex_);
    if (!owner.freed_.wait_for(lock, owner.statement_time_,
                               [&] { return owner.may_begin(acting_for); })) {
        if (owner.taken_.contains(acting_for)) {
            throw error(errc::too_many_requests,
                        "too many slow requests with this token at once; try again",
                        {.retryable = true});
        }
        throw connection_error("all database sessions of this server are busy; try again",
                               {.retryable = true});
    }
    if (!acting_for.empty()) {
        mine = owner.taken_.try_emplace(acting_for).first;
        ++mine->second;
        ++owner.of_clients_;
    }
    --owner.left_;
    if (!owner.idle_.empty()) {
        session = std::move(owner.idle_.back());
        owner.idle_.pop_back();
    }
    lock.unlock();
    try {
        // Detects a connection that the database server has closed.
        if (session != nullptr) {
            try {
                const pg::watchdog::guard watched(owner.watchdog_, *session,
                                                  std::chrono::seconds(3));
                session->exec("select 1");
            } catch (const error&) {
                session.reset();
            }
        }
        if (session == nullptr) {
            session = owner.open();
        }
    } catch (...) {
        lock.lock();
        give_back();
        throw;
    }
}

pool::lease::~lease() {
    const std::lock_guard lock(owner.mutex_);
    if (session->alive() && !session->in_transaction()) {
        owner.idle_.push_back(std::move(session));
    }
    give_back();
}

}  // namespace postrider::serve
