#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace postrider {

/// The HTTP response to the request with this head, which ends with a line end. `text` is called
/// for a request of the metrics.
std::string metrics_answer(std::string_view head, const std::function<std::string()>& text);

}  // namespace postrider
