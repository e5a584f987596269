#pragma once

#include <cstdint>
#include <postrider/message.hpp>
#include <postrider/transaction.hpp>
#include <string>
#include <vector>

namespace postrider::cli {

/// Checks the schema, for a session of the client library.
void require_schema(connection& session);

struct lines_request {
    std::string database = {};
    std::string file = {};        ///< "-": standard input
    message defaults = {};        ///< for fields missing in a line
    bool commit_batches = false;  ///< instead of all in one transaction
    bool json = false;            ///< no progress bar
};

/// Publishes a message for every line of a file; returns their number. An invalid line is a
/// usage_error that names it, and no message is published, except batches that were committed
/// before. An early end, also by a signal, reports the number of published messages.
std::int64_t publish_lines(const lines_request& asked);
/// All messages of a file, for a caller that needs them at once.
std::vector<message> read_lines(const std::string& file, const message& defaults);

}  // namespace postrider::cli
