#include "store/maintain.hpp"
#include "worker/coordinator.hpp"

namespace postrider::working {

int coordinator::drain() {
    if (session_ && !session_->alive()) {
        session_.reset();
    }
    if (!session_) {
        connect();
    }
    // What somebody had who is gone is there, too; a program that only drains has nobody else to
    // look.
    store::reap(session());
    int runs = 0;
    dry_ = false;
    due_stale_ = true;
    next_due_question_ = {};
    while (true) {
        const auto now = clock::now();
        keep_alive(now);
        const bool reported = report_due();
        trade(now, reported);
        next_due_question_ = {};
        take_due(now);
        if (ledger_.in_hand() == 0 && dry_ && ledger_.reports(now, true).empty() &&
            ledger_.due_reports().empty()) {
            return runs;
        }
        runs += crew_->run_waiting();
        absorb();
    }
}

}  // namespace postrider::working
