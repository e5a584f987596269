#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace postrider {

/// The length of the longest prefix that PostgreSQL accepts as text: UTF-8 without a zero byte.
/// Equal to the length of the text when all of it is valid.
std::size_t usable_utf8(std::string_view text) noexcept;

/// The text in valid UTF-8, at most `bytes_max` long: invalid bytes become question marks, and no
/// character is cut in two.
std::string repaired_utf8(std::string_view text, std::size_t bytes_max);

}  // namespace postrider
