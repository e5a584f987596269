// A transactional handler: its effect, its inbox entry and its published messages commit in one
// transaction.
#include <postrider/error.hpp>

#include "client/transaction_state.hpp"
#include "store/work/workers.hpp"
#include "worker/coordinator/session_settings.hpp"
#include "worker/runs/runner.hpp"

namespace postrider::working {
namespace {

// Time for the server besides the handler.
constexpr auto margin = std::chrono::milliseconds(5000);

// Settings that a handler changed must not reach the next message, which may belong to another
// workspace.
constexpr const char* as_it_was = "reset all; reset role; ";

// Each transaction begins with these statements, so no setting of an earlier one remains.
std::string settings_of(pg::connection& fresh, std::chrono::milliseconds longest) {
    std::string text = as_it_was;
    text += notice_vanished_clients;
    // A vanished worker must not hold its inbox entries for longer than handlers run: the next run
    // of the same message waits for them.
    text += "; set idle_in_transaction_session_timeout = " + std::to_string(longest.count()) + "; ";
    return text + end_with_client(fresh);
}

outcome out_of_time(std::chrono::milliseconds timeout) {
    return transient("ran longer than its timeout of " + std::to_string(timeout.count()) +
                         " ms; its connection was cut",
                     "timeout");
}

}  // namespace

pg::connection& runner::session() {
    // A session with a transaction that a handler left open cannot be used again.
    if (session_ && (!session_->alive() || session_->in_transaction())) {
        session_.reset();
    }
    if (!session_) {
        pg::connection fresh(shared_.database);
        const pg::watchdog::guard watched(shared_.watchdog, fresh, shared_.call_timeout);
        settings_ = settings_of(fresh, shared_.handlers.longest_timeout() + margin);
        session_.emplace(std::move(fresh));
    }
    return *session_;
}

// The session may have been lost while it was unused: tries once more with a new one.
std::unique_ptr<transaction::state> runner::begin_transaction() {
    for (bool again = true;; again = false) {
        auto& on = session();
        const pg::watchdog::guard watched(shared_.watchdog, on, shared_.call_timeout);
        try {
            return std::make_unique<transaction::state>(on, transaction::state::owner::worker,
                                                        settings_);
        } catch (const error& problem) {
            if (!again || !problem.connection_lost()) {
                throw;
            }
        }
    }
}

void runner::roll_back(transaction::state& open) const noexcept {
    const pg::watchdog::guard watched(shared_.watchdog, open.session, shared_.call_timeout);
    try {
        open.work.rollback();
    } catch (const std::exception&) {
        // The session is gone, and the transaction with it.
    }
}

outcome runner::run_transactional(const handler& by, const event& event, context& ctx,
                                  bool& duplicate) {
    transaction within(begin_transaction());
    auto& open = within.internals();
    outcome how;
    bool cut = false;
    // Closed because of the timeout, not because the worker stops.
    const auto too_late = [&] { return cut && clock::now() >= ctx.deadline(); };
    try {
        // Besides the handler's timeout the server gets a margin to answer.
        const pg::watchdog::guard watched(shared_.watchdog, open.session,
                                          by.options.timeout + margin, pg::watchdog::urgency::usual,
                                          &cut);
        const auto key = event.idempotency_key();
        duplicate = !store::handle_once(open.session, {.consumer = shared_.consumer,
                                                       .handler = by.name,
                                                       .source = event.source(),
                                                       .idempotency_key = key});
        if (!duplicate) {
            how = by.transactional(event, within, ctx);
        }
    } catch (...) {
        roll_back(open);
        if (too_late()) {
            return out_of_time(by.options.timeout);
        }
        throw;
    }
    if (too_late()) {
        roll_back(open);
        return out_of_time(by.options.timeout);
    }
    if (duplicate || !how.ok()) {
        roll_back(open);
        return how;
    }
    const pg::watchdog::guard watched_commit(shared_.watchdog, open.session, shared_.call_timeout);
    open.work.commit();
    return how;
}

}  // namespace postrider::working
