#pragma once

#include <string>

namespace postrider::cli {

/// The contents of a file, - for standard input. Reads one byte more than a payload may have, so
/// that the check that follows reports it as too large. Throws usage_error.
std::string read_payload(const std::string& file);

}  // namespace postrider::cli
