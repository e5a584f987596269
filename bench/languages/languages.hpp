#pragma once

#include <vector>

#include "bench/lab/scenario.hpp"

namespace postrider::bench {

void node(const lab& where, report& results);
void python(const lab& where, report& results);

/// Handlers in other languages: children of `postrider work --stay`.
const std::vector<scenario>& languages_scenarios();

}  // namespace postrider::bench
