#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/embedded_files.hpp"

namespace postrider::serve {

/// One script with the module `entry` and all modules that it imports, each in a function of its
/// own, so that a browser needs one request for them. Understands the form that the modules of the
/// page have: imports of names on one line, exports of functions, classes and constants at the
/// beginning of a line. Throws std::logic_error for others and for modules that import each other.
std::string bundle_modules(std::span<const embedded_file> files, std::string_view entry);

}  // namespace postrider::serve
