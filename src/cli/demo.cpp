#include "cli/demo.hpp"

namespace postrider::cli::demo {

void run(const std::string& /*database*/, const stop_signal& stop) { stop.wait(); }

}  // namespace postrider::cli::demo
