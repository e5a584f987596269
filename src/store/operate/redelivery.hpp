#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "store/operate/operators.hpp"

namespace postrider::store {

/// The ids of messages that a handler has been delivered, published since an instant, oldest first.
std::vector<std::string> delivered_since(pg::connection& session, const consumer_name& which,
                                         const std::string& handler,
                                         std::chrono::system_clock::time_point since);
/// Starts a new cycle of a delivered message. The inbox keeps its entry.
void redeliver(pg::connection& session, const std::string& id, const consumer_name& which,
               const std::string& handler, const audit_entry& why);

}  // namespace postrider::store
