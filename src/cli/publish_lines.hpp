#pragma once

#include <cstdint>
#include <postrider/message.hpp>
#include <string>

namespace postrider::cli {

struct lines_request {
    std::string database = {};
    std::string file = {};        ///< "-": standard input
    message defaults = {};        ///< for what a line leaves out
    bool commit_batches = false;  ///< instead of all in one transaction
    bool progress = false;
};

/// Publishes a message for every line of a file; gives how many. A line that cannot be published is
/// a usage_error that names it, and then nothing is; batches that were committed before stay.
std::int64_t publish_lines(const lines_request& asked);

}  // namespace postrider::cli
