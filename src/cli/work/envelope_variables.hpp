#pragma once

#include <postrider/worker.hpp>
#include <string>
#include <vector>

namespace postrider::cli {

/// The environment of a command that handles a message: the worker's, and the envelope as
/// POSTRIDER_EVENT_ID and so on. A field that the message does not have is not set, even if the
/// worker inherited such a variable. Variables that lead to the database are left out, unless
/// `pass_database`.
std::vector<std::string> envelope_variables(const event& what, const postrider::context& run,
                                            bool pass_database);

}  // namespace postrider::cli
