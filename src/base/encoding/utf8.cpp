#include "base/encoding/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace postrider {
namespace {

bool is_continuation(unsigned char byte) { return (byte & 0xc0U) == 0x80U; }

// The length of the character at the beginning of `text`, which is not empty; 0 when there is none.
// Overlong forms, surrogates and values beyond U+10FFFF show in the first two bytes.
std::size_t character_length(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto first = at(0);
    if (first < 0x80) {
        return first == 0 ? 0 : 1;
    }
    const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length == 0 || first > 0xf4 || text.size() < length || !is_continuation(at(1)) ||
        (first == 0xe0 && at(1) < 0xa0) || (first == 0xed && at(1) > 0x9f) ||
        (first == 0xf0 && at(1) < 0x90) || (first == 0xf4 && at(1) > 0x8f)) {
        return 0;
    }
    for (std::size_t i = 2; i < length; ++i) {
        if (!is_continuation(at(i))) {
            return 0;
        }
    }
    return length;
}

// Eight bytes at once that are ASCII and not zero: the bulk of every payload.
bool plain_word(const char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    constexpr std::uint64_t high = 0x8080808080808080U;
    constexpr std::uint64_t ones = 0x0101010101010101U;
    return (word & high) == 0 && ((word - ones) & ~word & high) == 0;
}

}  // namespace

std::size_t usable_utf8(std::string_view text) noexcept {
    std::size_t i = 0;
    while (i < text.size()) {
        while (i + 8 <= text.size() && plain_word(text.data() + i)) {
            i += 8;
        }
        if (i == text.size()) {
            break;
        }
        const auto length = character_length(text.substr(i));
        if (length == 0) {
            break;
        }
        i += length;
    }
    return i;
}

std::string repaired_utf8(std::string_view text, std::size_t bytes_max) {
    std::string repaired;
    while (!text.empty()) {
        const auto length = character_length(text);
        if (repaired.size() + (length == 0 ? 1 : length) > bytes_max) {
            break;
        }
        if (length == 0) {
            repaired += '?';
            text.remove_prefix(1);
        } else {
            repaired += text.substr(0, length);
            text.remove_prefix(length);
        }
    }
    return repaired;
}

}  // namespace postrider
