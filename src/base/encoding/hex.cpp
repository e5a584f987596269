#include "base/encoding/hex.hpp"

namespace postrider {

std::string hex(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += hex_digits[byte >> 4U];
        text += hex_digits[byte & 15U];
    }
    return text;
}

std::string hex(std::uint64_t value) {
    std::string text(16, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, value >>= 4U) {
        *digit = hex_digits[value & 15U];
    }
    return text;
}

std::uint64_t fnv1a(std::string_view text, std::uint64_t from) {
    for (const char c : text) {
        from = (from ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    return from;
}

}  // namespace postrider
