#pragma once

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace postrider::cli {

/// Adds `consumers seek` to the group.
void add_consumers_seek(CLI::App& group, context& shared);

}  // namespace postrider::cli
