#pragma once

#include <string>

#include "store/reads/listing.hpp"

namespace postrider::cli {

/// Prints the failed attempts of deliveries, rows of store::attempts(), under a heading; nothing
/// when there is none.
void print_attempts(const store::listing& attempts, const std::string& indent);

}  // namespace postrider::cli
