#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace postrider {

inline constexpr std::string_view hex_digits = "0123456789abcdef";

/// Two lower-case digits per byte.
std::string hex(std::string_view bytes);
/// Sixteen lower-case digits.
std::string hex(std::uint64_t value);

/// The hash FNV-1a: short names and groups, nothing that an attacker may choose. `from`: the hash
/// of the text before this one.
std::uint64_t fnv1a(std::string_view text, std::uint64_t from = 0xcbf29ce484222325);

}  // namespace postrider
