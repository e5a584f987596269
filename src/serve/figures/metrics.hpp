#pragma once

#include <string>

namespace postrider::serve {

/// The figures, a JSON object, in Prometheus' text format; docs/reference/metrics.md.
std::string metrics_text(const std::string& figures, const std::string& handlers,
                         const std::string& replays, const std::string& jobs);

}  // namespace postrider::serve
