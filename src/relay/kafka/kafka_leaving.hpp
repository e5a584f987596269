#pragma once

#include <chrono>
#include <memory>

#include "relay/kafka/kafka_group.hpp"

namespace postrider::relaying {

/// Ends a member, which commits and leaves its group. A member that has not ended after `longest`
/// is left to the end of the process, and its group finds out after its session timeout.
void leave_group(std::unique_ptr<kafka_group> member, std::chrono::milliseconds longest);

}  // namespace postrider::relaying
