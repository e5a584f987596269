#include "cli/output/attempts_table.hpp"

#include <fmt/core.h>

#include "cli/output/table.hpp"

namespace postrider::cli {

void print_attempts(const store::listing& attempts, const std::string& indent) {
    using kind = table_column::kind;
    if (attempts.empty()) {
        return;
    }
    fmt::print("{}failed attempts\n{}", indent,
               table_text(attempts,
                          {{"handler", "handler"},
                           {"cycle", "cycle", kind::number},
                           {"attempt", "attempt", kind::number},
                           {"ended", "at", kind::time},
                           state_column("outcome", "outcome", "outcome"),
                           {"ms", "duration_ms", kind::number},
                           {"worker", "worker"},
                           {"class", "error_class"},
                           {"error", "error", kind::last}},
                          indent + "  "));
}

}  // namespace postrider::cli
