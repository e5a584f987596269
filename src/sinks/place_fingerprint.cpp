#include "sinks/place_fingerprint.hpp"

#include <algorithm>

#include "base/encoding/hex.hpp"

namespace postrider::sinks {

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
    return fnv1a(place);
}

}  // namespace

std::string place_fingerprint(std::string_view url) { return hex(bits_of(url)); }

std::string place_label(std::string_view url) {
    const auto bits = bits_of(url);
    return hex(bits ^ (bits >> 32U)).substr(8);
}

}  // namespace postrider::sinks
