#pragma once

#include <string>
#include <string_view>

namespace postrider::serve {

/// fast: for an answer that is compressed once; small: for a file that is sent many times.
enum class gzip_effort { fast, small };

/// Throws std::bad_alloc without memory.
std::string gzip(std::string_view text, gzip_effort effort);

}  // namespace postrider::serve
