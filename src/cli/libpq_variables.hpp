#pragma once

#include <string>
#include <vector>

namespace postrider::cli {

/// Takes what libpq reads out of the environment: it is meant for other servers than the private
/// one, to which it would lead us elsewhere or not at all. Before any thread.
void set_libpq_variables_aside();

/// NAME=value of those, for programs that are run for the user.
const std::vector<std::string>& libpq_variables_set_aside();

}  // namespace postrider::cli
