#pragma once

#include <string>
#include <vector>

namespace postrider::cli {

/// Removes the variables of libpq from the environment: they refer to other servers than the
/// private one. Call before starting threads.
void set_libpq_variables_aside();

/// The removed variables as NAME=value, for programs run on behalf of the user.
const std::vector<std::string>& libpq_variables_set_aside();

}  // namespace postrider::cli
