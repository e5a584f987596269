#pragma once

#include <functional>

#include "bench/lab/lab.hpp"

namespace postrider::bench {

/// Starts the server, runs `body` and removes the server, also after Ctrl-C.
void in_lab(const lab_options& options, const std::function<void(const lab&)>& body);

}  // namespace postrider::bench
