#pragma once

#include <exception>

namespace postrider::cli {

inline constexpr int usage_exit = 64;        // EX_USAGE
inline constexpr int output_lost_exit = 74;  // EX_IOERR

/// Says on stderr what went wrong and gives the exit code for it.
int report_error(const std::exception& problem, bool json);

/// Whether something that went to stdout did not arrive, at any time.
bool output_lost();
int report_lost_output();

}  // namespace postrider::cli
