#include "relay/webhook/address_guard.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <string>

namespace postrider::test {
namespace {

bool is_public(const std::string& text) {
    sockaddr_in four{};
    four.sin_family = AF_INET;
    if (::inet_pton(AF_INET, text.c_str(), &four.sin_addr) == 1) {
        return relaying::is_public_address(reinterpret_cast<const sockaddr*>(&four), sizeof four);
    }
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    EXPECT_EQ(::inet_pton(AF_INET6, text.c_str(), &six.sin6_addr), 1) << text;
    return relaying::is_public_address(reinterpret_cast<const sockaddr*>(&six), sizeof six);
}

TEST(address_guard, closed_networks_are_recognised_in_every_form) {
    for (const auto* closed : {"127.0.0.1",
                               "127.255.0.9",
                               "0.0.0.0",
                               "10.1.2.3",
                               "172.16.0.1",
                               "172.31.255.255",
                               "192.168.1.1",
                               "169.254.169.254",
                               "100.64.0.1",
                               "224.0.0.1",
                               "255.255.255.255",
                               "192.0.0.8",
                               "198.18.0.1",
                               "::",
                               "::1",
                               "::ffff:127.0.0.1",
                               "::ffff:10.0.0.1",
                               "::127.0.0.1",
                               "64:ff9b::a00:1",
                               "2002:7f00:1::",
                               "fe80::1",
                               "fc00::1",
                               "fd12::1",
                               "ff02::1",
                               "2001:db8::1",
                               "2001::1",
                               "2001:2::1",
                               "2001:10::1",
                               "2001:1f:ffff::1",
                               "2001:20::1",
                               "2001:2f:ffff::1",
                               "3fff::1",
                               "3fff:fff:ffff::1",
                               "fec0::1"}) {
        EXPECT_FALSE(is_public(closed)) << closed;
    }
}

TEST(address_guard, public_addresses_are_allowed) {
    for (const auto* open :
         {"93.184.216.34", "172.15.255.255", "172.32.0.1", "100.63.255.255", "169.253.1.1",
          "2606:2800:220:1::1", "::ffff:93.184.216.34", "2001:2:1::1", "2001:30::1", "2001:200::1",
          "3fff:1000::1", "3ffe::1"}) {
        EXPECT_TRUE(is_public(open)) << open;
    }
}

}  // namespace
}  // namespace postrider::test
