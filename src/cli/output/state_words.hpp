#pragma once

#include <string>
#include <string_view>

namespace postrider::cli {

/// The word for a state, the same as on the operator's page. `of` is one of states.def; a value
/// that it does not have keeps its name, with spaces.
std::string state_text(std::string_view of, std::string_view value);

}  // namespace postrider::cli
