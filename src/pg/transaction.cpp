#include "pg/transaction.hpp"

#include <postrider/error.hpp>

#include "base/fault_points.hpp"

namespace postrider::pg {
namespace {

const char* begin_statement(isolation level) {
    switch (level) {
        case isolation::repeatable_read:
            return "begin isolation level repeatable read";
        case isolation::serializable:
            return "begin isolation level serializable";
        case isolation::read_committed:
            break;
    }
    return "begin isolation level read committed";
}

}  // namespace

transaction::transaction(connection& session, isolation level, const std::string& settings)
    : session_(session) {
    session_.exec(settings + begin_statement(level));
    open_ = true;
}

transaction::~transaction() {
    if (!open_ || !session_.alive()) {
        return;
    }
    try {
        session_.exec("rollback");
    } catch (const std::exception&) {
        // The session is gone, and the transaction with it: nothing is left to undo.
    }
}

void transaction::commit() {
    POSTRIDER_FAULT("transaction.before_commit");
    open_ = false;
    if (session_.alive() && !session_.in_transaction()) {
        // A commit would answer as if it had been one.
        throw error(errc::database_error,
                    "commit: the transaction has already been ended by a statement",
                    {.sqlstate = "25P01", .operation = "commit"});
    }
    try {
        const auto outcome = session_.exec("commit");
        if (outcome.command() != "COMMIT") {
            throw error(errc::database_error,
                        "commit: an earlier statement failed, so the transaction was rolled back",
                        {.sqlstate = "25P02", .operation = "commit"});
        }
    } catch (const error& problem) {
        if (!problem.connection_lost()) {
            throw;
        }
        throw commit_unknown_error(
            std::string(problem.what()) + "; whether the transaction was committed is unknown",
            {.sqlstate = problem.sqlstate(), .operation = "commit", .connection_lost = true});
    }
    POSTRIDER_FAULT("transaction.after_commit");
}

void transaction::rollback() {
    open_ = false;
    session_.exec("rollback");
}

}  // namespace postrider::pg
