#include "serve/pool.hpp"

#include <algorithm>
#include <postrider/error.hpp>
#include <utility>

#include "store/operate/operator_settings.hpp"
#include "store/operate/operators.hpp"

namespace postrider::serve {
namespace {

thread_local std::string acting_for;

connection_error all_busy() {
    return connection_error("all database sessions of this server are busy; try again",
                            {.retryable = true});
}

}  // namespace

void pool::act_for(std::string client) { acting_for = std::move(client); }

pool::own_work::own_work() : client_(std::exchange(acting_for, {})) {}

pool::own_work::~own_work() { acting_for = std::move(client_); }

pool::pool(std::string conninfo, int sessions, std::chrono::milliseconds statement_time)
    : conninfo_(std::move(conninfo)),
      statement_time_(statement_time),
      left_(sessions),
      share_(std::max(1, sessions / 2)),
      clients_max_(std::max(1, sessions - 1)) {
    // A lease gives its session back in its destructor, where an allocation must not fail.
    idle_.reserve(static_cast<std::size_t>(sessions));
}

std::unique_ptr<pg::connection> pool::open() {
    auto session = std::make_unique<pg::connection>(conninfo_);
    session->exec(std::string(store::operator_settings) +
                  "; set application_name = 'postrider serve';"
                  " set statement_timeout = " +
                  std::to_string(statement_time_.count()) +
                  "; set lock_timeout = 5000; set idle_in_transaction_session_timeout = 30000");
    look_at_rights(*session);
    return session;
}

void pool::look_at_rights(pg::connection& session) { may_change_ = store::is_operator(session); }

bool pool::may_begin(const client& mine) const {
    return left_ > 0 && of_clients_ < clients_max_ && mine.taken < share_ &&
           std::ranges::none_of(clients_, [&mine](const auto& other) {
               return other.second.waiting > 0 && other.second.is_before(mine);
           });
}

pool::client_table::iterator pool::take_for_client(std::unique_lock<std::mutex>& lock) {
    const auto found = clients_.try_emplace(acting_for).first;
    auto& mine = found->second;
    if (mine.waiting++ == 0) {
        mine.turn = ++turns_;
    }
    const bool begins = freed_.wait_for(lock, statement_time_, [&] { return may_begin(mine); });
    --mine.waiting;
    // A client behind this one may have waited for it.
    freed_.notify_all();
    if (begins) {
        ++mine.taken;
        mine.turn = ++turns_;
        ++of_clients_;
        --left_;
        return found;
    }
    if (mine.taken > 0) {
        throw error(errc::too_many_requests,
                    "too many slow requests with this token at once; try again",
                    {.retryable = true});
    }
    drop_if_idle(found);
    throw all_busy();
}

pool::client_table::iterator pool::take(std::unique_lock<std::mutex>& lock) {
    if (!acting_for.empty()) {
        return take_for_client(lock);
    }
    if (!freed_.wait_for(lock, statement_time_, [this] { return left_ > 0; })) {
        throw all_busy();
    }
    --left_;
    return clients_.end();
}

void pool::drop_if_idle(client_table::iterator known) {
    if (known->second.taken == 0 && known->second.waiting == 0) {
        clients_.erase(known);
    }
}

void pool::give_back(client_table::iterator holder) {
    ++left_;
    if (holder != clients_.end()) {
        --of_clients_;
        --holder->second.taken;
        holder->second.turn = ++turns_;
        drop_if_idle(holder);
    }
    // Which of the waiting requests may begin depends on their clients.
    freed_.notify_all();
}

pool::lease::lease(pool& from) : owner(from) {
    std::unique_lock lock(owner.mutex_);
    holder = owner.take(lock);
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
        owner.give_back(holder);
        throw;
    }
}

pool::lease::~lease() {
    const std::lock_guard lock(owner.mutex_);
    if (session->alive() && !session->in_transaction()) {
        owner.idle_.push_back(std::move(session));
    }
    owner.give_back(holder);
}

}  // namespace postrider::serve
