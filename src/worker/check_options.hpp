#pragma once

#include <postrider/worker.hpp>

namespace postrider::working {

/// Throws usage_error for options that cannot work.
void check(const worker_options& options);

}  // namespace postrider::working
