#pragma once

#include <postrider/worker.hpp>
#include <string>
#include <vector>

namespace postrider::cli {

/// The environment of a command that handles a message: ours, and the envelope as
/// POSTRIDER_EVENT_ID and so on. What the message does not have is not set, whoever set it before.
std::vector<std::string> envelope_variables(const event& what, const postrider::context& run);

}  // namespace postrider::cli
