#include "sinks/place_fingerprint.hpp"

#include <algorithm>

namespace postrider::sinks {

std::uint64_t mixed(std::string_view text, std::uint64_t from) {
    for (const char c : text) {
        from = (from ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    return from;
}

std::string hexadecimal(std::uint64_t value) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text(16, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, value >>= 4) {
        *digit = digits[value & 15];
    }
    return text;
}

namespace {

// Of the address without a user and a password.
std::uint64_t bits_of(std::string_view url) {
    std::string place(url);
    const auto scheme_end = url.find("://");
    const auto host = scheme_end == std::string_view::npos ? 0 : scheme_end + 3;
    const auto host_end = std::min(url.find_first_of("/?#", host), url.size());
    const auto at = url.substr(0, host_end).rfind('@');
    if (at != std::string_view::npos && at >= host) {
        place.erase(host, at + 1 - host);
    }
    return mixed(place);
}

}  // namespace

std::string place_fingerprint(std::string_view url) { return hexadecimal(bits_of(url)); }

std::string place_label(std::string_view url) {
    const auto bits = bits_of(url);
    return hexadecimal(bits ^ (bits >> 32U)).substr(8);
}

}  // namespace postrider::sinks
