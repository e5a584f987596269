#pragma once

#include <functional>

#include "bench/lab/lab.hpp"

namespace postrider::bench {

/// Starts the server, runs `body` and leaves nothing behind, after Ctrl-C neither.
void in_lab(const lab_options& options, const std::function<void(const lab&)>& body);

}  // namespace postrider::bench
