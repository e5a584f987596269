#pragma once

#include <postrider/error.hpp>
#include <string>

#include "pg/borrowed.hpp"

namespace postrider::client {

/// Calls `call` with a session on the caller's connection.
/// Outside of a transaction the statement and its commit are one: an answer that never came leaves
/// both in doubt.
template <typename Call>
void on_borrowed(pg_conn* within, const char* operation, const Call& call) {
    pg::borrowed lent(within, operation);
    try {
        call(lent.session());
    } catch (const connection_error& lost) {
        if (!lent.commits_itself()) {
            throw;
        }
        throw commit_unknown_error(
            std::string(lost.what()) + "; whether it was published is unknown",
            {.sqlstate = lost.sqlstate(), .operation = operation, .connection_lost = true});
    }
}

}  // namespace postrider::client
