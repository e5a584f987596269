#pragma once

#include <exception>

namespace postrider::cli {

inline constexpr int usage_exit = 64;        // EX_USAGE
inline constexpr int output_lost_exit = 74;  // EX_IOERR

/// Reports an error on stderr and returns its exit code.
int report_error(const std::exception& problem, bool json);

/// Whether a write to stdout has failed.
bool output_lost();
int report_lost_output();

}  // namespace postrider::cli
