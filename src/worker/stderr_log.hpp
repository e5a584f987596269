#pragma once

#include <memory>
#include <postrider/sink.hpp>

namespace postrider::working {

/// The log of a worker without a sink: warnings, errors and failed runs as lines on stderr.
/// Failures of one handler with one error class get one line with their number every ten seconds.
std::shared_ptr<sink> stderr_log();

}  // namespace postrider::working
