#pragma once

#include <postrider/export.hpp>
#include <postrider/transaction.hpp>

#include "pg/connection.hpp"
#include "pg/transaction.hpp"

namespace postrider {

struct connection::state {
    pg::connection session;
};

/// A transaction under way on the caller's connection, which must outlive it.
struct transaction::state {
    /// Determines which side may end it.
    enum class owner {
        holder,  ///< the holder of the transaction object
        worker   ///< only the worker, through this state
    };

    /// `settings`: statements that come with the begin.
    explicit state(pg::connection& on, owner ends = owner::holder, const std::string& settings = {})
        : session(on), work(on, pg::isolation::read_committed, settings), ended_by(ends) {}

    /// Exported for postrider::testing, which is a library of its own.
    POSTRIDER_EXPORT bool session_lost() const noexcept;

    pg::connection& session;
    pg::transaction work;
    owner ended_by;
    bool ended = false;
};

}  // namespace postrider
