#pragma once

#include <memory>
#include <postrider/sink.hpp>

namespace postrider::working {

/// The log of a worker that was given no sink: warnings, errors and failed runs as lines on stderr.
/// Failures of one handler with one error class get a line every ten seconds, which counts them.
std::shared_ptr<sink> stderr_log();

}  // namespace postrider::working
