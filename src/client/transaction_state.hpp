#pragma once

#include <postrider/transaction.hpp>

#include "pg/connection.hpp"
#include "pg/transaction.hpp"

namespace postrider {

struct connection::state {
    pg::connection session;
};

/// A transaction under way on a connection of somebody else, which must outlive it.
struct transaction::state {
    /// Who may end it.
    enum class owner {
        holder,  ///< whoever holds the transaction object
        worker   ///< nobody but the worker, through this state
    };

    explicit state(pg::connection& on, owner who = owner::holder)
        : session(on), work(on), ended_by(who) {}

    pg::connection& session;
    pg::transaction work;
    owner ended_by;
    bool ended = false;
};

}  // namespace postrider
