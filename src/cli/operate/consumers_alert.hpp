#pragma once

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace postrider::cli {

/// Adds `consumers followers-alert` to the group.
void add_consumers_alert(CLI::App& group, context& shared);

}  // namespace postrider::cli
