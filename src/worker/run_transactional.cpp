// A transactional handler: its effect, its inbox entry and what it publishes commit as one.
#include <postrider/error.hpp>

#include "client/transaction_state.hpp"
#include "store/workers.hpp"
#include "worker/runner.hpp"
#include "worker/session_settings.hpp"

namespace postrider::working {
namespace {

// What the server may take besides the handler.
constexpr auto margin = std::chrono::milliseconds(5000);

}  // namespace

pg::connection& runner::session() {
    // One in which a handler left something open is of no use to the next.
    if (session_ && (!session_->alive() || session_->in_transaction())) {
        session_.reset();
    }
    if (!session_) {
        pg::connection fresh(shared_.database);
        const pg::watchdog::guard watched(shared_.watchdog, fresh, shared_.patience);
        fresh.exec(notice_vanished_clients);
        // A worker that vanished must not hold its inbox entries for longer than handlers run:
        // whoever runs the same message again waits for them.
        const auto longest = shared_.handlers.longest_timeout() + margin;
        fresh.exec("set idle_in_transaction_session_timeout = " + std::to_string(longest.count()));
        session_.emplace(std::move(fresh));
    }
    return *session_;
}

// The session may have died while nobody used it, which says nothing about the next one.
std::unique_ptr<transaction::state> runner::begin_transaction() {
    for (bool again = true;; again = false) {
        auto& on = session();
        const pg::watchdog::guard watched(shared_.watchdog, on, shared_.patience);
        try {
            return std::make_unique<transaction::state>(on, transaction::state::owner::worker);
        } catch (const error& problem) {
            if (!again || !problem.connection_lost()) {
                throw;
            }
        }
    }
}

void runner::roll_back(transaction::state& open) const noexcept {
    const pg::watchdog::guard watched(shared_.watchdog, open.session, shared_.patience);
    try {
        open.work.rollback();
    } catch (const std::exception&) {
        // The session is gone, and the transaction with it.
    }
}

outcome runner::run_transactional(const handler& by, const event& what, context& ctx,
                                  bool& duplicate) {
    transaction within(begin_transaction());
    auto& open = within.internals();
    // The handler may take its time; a server that never answers may not.
    const pg::watchdog::guard watched(shared_.watchdog, open.session, by.options.timeout + margin);
    outcome how;
    try {
        duplicate = !store::handle_once(open.session, by.name, what.idempotency_key());
        if (!duplicate) {
            how = by.transactional(what, within, ctx);
        }
    } catch (...) {
        roll_back(open);
        throw;
    }
    if (duplicate || !how.ok()) {
        roll_back(open);
        return how;
    }
    const pg::watchdog::guard watched_commit(shared_.watchdog, open.session, shared_.patience);
    open.work.commit();
    return how;
}

}  // namespace postrider::working
