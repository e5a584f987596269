#pragma once

#include <postrider/worker.hpp>
#include <string>
#include <vector>

namespace postrider::cli {

/// The worker's environment for a command: without the envelope, secrets of the worker and, unless
/// `pass_database`, the variables of the database.
std::vector<std::string> command_environment(bool pass_database);

/// The environment of a command: the worker's environment and the envelope as POSTRIDER_MESSAGE_ID
/// and so on. A missing field of the message is not set, even if the worker inherited such a
/// variable. Database variables are removed, unless `pass_database`.
std::vector<std::string> envelope_variables(const event& message, const postrider::context& run,
                                            bool pass_database);

}  // namespace postrider::cli
