#pragma once

#include <cstdint>
#include <postrider/message.hpp>
#include <postrider/transaction.hpp>
#include <string>

namespace postrider::cli {

/// The gate of every session, for one of the library's.
void require_schema(connection& session);

struct lines_request {
    std::string database = {};
    std::string file = {};        ///< "-": standard input
    message defaults = {};        ///< for what a line leaves out
    bool commit_batches = false;  ///< instead of all in one transaction
    bool json = false;            ///< no progress is shown
};

/// Publishes a message for every line of a file; gives how many. A line that cannot be published is
/// a usage_error that names it, and then nothing is; batches that were committed before stay, and
/// whatever ends it early, a signal included, is told together with how many there are.
std::int64_t publish_lines(const lines_request& asked);

}  // namespace postrider::cli
