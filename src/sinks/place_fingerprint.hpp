#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace postrider::sinks {

/// FNV-1a.
std::uint64_t mixed(std::string_view text, std::uint64_t from = 0xcbf29ce484222325);
std::string hexadecimal(std::uint64_t value);

/// Eight digits that are the same for the same address. Names and logs show them: 32 bits do not
/// reveal a secret that an address holds. A user name and password before the host do not count.
std::string place_fingerprint(std::string_view url);

}  // namespace postrider::sinks
