#include "serve/pool.hpp"

#include <postrider/error.hpp>

#include "store/operate/operator_settings.hpp"
#include "store/operate/operators.hpp"

namespace postrider::serve {

pool::pool(std::string conninfo, int sessions, std::chrono::milliseconds statement_time)
    : conninfo_(std::move(conninfo)), statement_time_(statement_time), left_(sessions) {
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

pool::lease::lease(pool& from) : owner(from) {
    std::unique_lock lock(owner.mutex_);
    if (!owner.freed_.wait_for(lock, owner.statement_time_, [&] { return owner.left_ > 0; })) {
        throw connection_error("all database sessions of this server are busy; try again",
                               {.retryable = true});
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
        ++owner.left_;
        owner.freed_.notify_one();
        throw;
    }
}

pool::lease::~lease() {
    const std::lock_guard lock(owner.mutex_);
    if (session->alive() && !session->in_transaction()) {
        owner.idle_.push_back(std::move(session));
    }
    ++owner.left_;
    owner.freed_.notify_one();
}

}  // namespace postrider::serve
