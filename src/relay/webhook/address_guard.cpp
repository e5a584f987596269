#include "relay/webhook/address_guard.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace postrider::relaying {
namespace {

struct ipv4_block {
    std::uint32_t network;
    int bits;
};

constexpr std::uint32_t ipv4(unsigned a, unsigned b, unsigned c = 0, unsigned d = 0) {
    return (a << 24U) | (b << 16U) | (c << 8U) | d;
}

// The special-purpose registry of IANA (RFC 6890 and its successors), and multicast.
constexpr std::array<ipv4_block, 15> closed_ipv4{{{ipv4(0, 0), 8},
                                                  {ipv4(10, 0), 8},
                                                  {ipv4(100, 64), 10},
                                                  {ipv4(127, 0), 8},
                                                  {ipv4(169, 254), 16},
                                                  {ipv4(172, 16), 12},
                                                  {ipv4(192, 0), 24},
                                                  {ipv4(192, 0, 2), 24},
                                                  {ipv4(192, 88, 99), 24},
                                                  {ipv4(192, 168), 16},
                                                  {ipv4(198, 18), 15},
                                                  {ipv4(198, 51, 100), 24},
                                                  {ipv4(203, 0, 113), 24},
                                                  {ipv4(224, 0), 4},
                                                  {ipv4(240, 0), 4}}};

bool is_public(std::uint32_t address) {
    return std::ranges::none_of(closed_ipv4, [address](const ipv4_block& block) {
        const auto mask = ~std::uint32_t{0} << (32 - block.bits);
        return (address & mask) == block.network;
    });
}

using bytes16 = std::array<std::uint8_t, 16>;

std::uint32_t ipv4_at(const bytes16& address, std::size_t at) {
    return ipv4(address[at], address[at + 1], address[at + 2], address[at + 3]);
}

bool starts_with(const bytes16& address, std::initializer_list<std::uint8_t> beginning) {
    return std::equal(beginning.begin(), beginning.end(), address.begin());
}

struct ipv6_block {
    std::array<std::uint8_t, 6> network;
    unsigned bits;
};

// The parts of the global unicast space that IANA's special-purpose registry takes out of it:
// Teredo, benchmarking, ORCHID, ORCHIDv2 and the two for documentation.
constexpr std::array<ipv6_block, 6> closed_ipv6{{{{0x20, 0x01, 0, 0}, 32},
                                                 {{0x20, 0x01, 0, 0x02, 0, 0}, 48},
                                                 {{0x20, 0x01, 0, 0x10}, 28},
                                                 {{0x20, 0x01, 0, 0x20}, 28},
                                                 {{0x20, 0x01, 0x0d, 0xb8}, 32},
                                                 {{0x3f, 0xff, 0}, 20}}};

bool is_in(const bytes16& address, const ipv6_block& block) {
    for (unsigned bit = 0; bit < block.bits; bit += 8) {
        const auto mask = block.bits - bit < 8 ? 0xffU << (8 - (block.bits - bit)) : 0xffU;
        if (((address[bit / 8] ^ block.network[bit / 8]) & mask & 0xffU) != 0) {
            return false;
        }
    }
    return true;
}

bool is_public(const bytes16& address) {
    if (starts_with(address, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0})) {
        // ::, ::1, IPv4-compatible and IPv4-mapped.
        const bool carries_ipv4 =
            (address[10] == 0xff && address[11] == 0xff) || (address[10] == 0 && address[11] == 0);
        return carries_ipv4 && is_public(ipv4_at(address, 12));
    }
    if (starts_with(address, {0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0})) {
        return is_public(ipv4_at(address, 12));
    }
    if (starts_with(address, {0x20, 0x02})) {
        return is_public(ipv4_at(address, 2));
    }
    if (std::ranges::any_of(closed_ipv6,
                            [&](const auto& block) { return is_in(address, block); })) {
        return false;
    }
    // Global unicast; everything else is local, multicast or reserved.
    return (address[0] & 0xe0U) == 0x20U;
}

}  // namespace

bool is_public_address(const sockaddr* address, socklen_t length) {
    if (address->sa_family == AF_INET && length >= sizeof(sockaddr_in)) {
        sockaddr_in copy{};
        std::memcpy(&copy, address, sizeof copy);
        return is_public(ntohl(copy.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6 && length >= sizeof(sockaddr_in6)) {
        sockaddr_in6 copy{};
        std::memcpy(&copy, address, sizeof copy);
        bytes16 bytes{};
        std::memcpy(bytes.data(), &copy.sin6_addr, bytes.size());
        return is_public(bytes);
    }
    return false;
}

}  // namespace postrider::relaying
