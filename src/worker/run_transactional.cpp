// A transactional handler: its effect, its inbox entry and what it publishes commit as one.
#include "client/transaction_state.hpp"
#include "store/workers.hpp"
#include "worker/runner.hpp"

namespace postrider::working {

pg::connection& runner::session() {
    if (!session_) {
        session_.emplace(shared_.database);
    } else if (!session_->alive()) {
        session_->reconnect();
    }
    return *session_;
}

outcome runner::run_transactional(const handler& by, const event& what, context& ctx,
                                  bool& duplicate) {
    auto& on = session();
    // The handler may take its time; a server that never answers may not.
    const auto margin = std::chrono::seconds(5);
    const pg::watchdog::guard watched(shared_.watchdog, on, by.options.timeout + margin);
    transaction within(std::make_unique<transaction::state>(on, transaction::state::owner::worker));
    auto& open = within.internals().work;
    if (!store::handle_once(on, by.name, what.idempotency_key())) {
        duplicate = true;
        open.rollback();
        return delivered();
    }
    auto how = by.transactional(what, within, ctx);
    if (how.ok()) {
        open.commit();
    } else {
        open.rollback();
    }
    return how;
}

}  // namespace postrider::working
