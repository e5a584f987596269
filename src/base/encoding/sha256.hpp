#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace postrider {

/// SHA-256 as FIPS 180-4 defines it. For ids of messages; secrets use OpenSSL.
std::array<std::uint8_t, 32> sha256(std::string_view text);

}  // namespace postrider
