#pragma once

#include <string>
#include <string_view>

namespace postrider::serve {

/// A new access token: 256 random bits, with a prefix for secret scanners and a checksum.
std::string make_token();
/// Whether a text has the form and the checksum of a token. The checksum is no secret:
/// it only saves the query for other texts, a mistyped token for example.
bool is_token(std::string_view text);
/// 64 hexadecimal digits.
std::string sha256_hex(std::string_view text);
/// Compares in constant time.
bool same_secret(std::string_view one, std::string_view other);

std::string base64url(std::string_view bytes);
/// Throws usage_error for invalid input.
std::string from_base64url(std::string_view text);

}  // namespace postrider::serve
