#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_files.hpp"

namespace postrider::serve {

/// For each entry one script with that module and all modules that it imports and that are in no
/// script before it, each in a function of its own, so that a browser needs one request for them. A
/// later script is a module beside the earlier ones, which it imports by the names of their
/// entries, and it has the exports of its entry. Understands the form that the modules of the page
/// have: imports of names on one line, exports of functions, classes and constants at the beginning
/// of a line. Throws std::logic_error for others and for modules that import each other.
std::vector<std::string> bundle_modules(std::span<const embedded_file> files,
                                        std::span<const std::string_view> entries);

}  // namespace postrider::serve
