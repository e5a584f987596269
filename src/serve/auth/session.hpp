#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::serve {

/// The sign-in of a browser. The token is in an HttpOnly cookie, encrypted with a key that the page
/// keeps in its own storage and sends in the header `x-postrider-session`. Neither part is enough:
/// scripts cannot read the cookie, and other ports of the host, which receive the cookie, cannot
/// read the key. The server stores nothing, so that several servers of one database share sessions.
class browser_sessions {
  public:
    using clock = std::chrono::system_clock;
    static constexpr std::chrono::hours lifetime{7 * 24};
    static constexpr auto key_header = "x-postrider-session";

    /// The port is part of the cookie's name: browsers do not separate cookies by port.
    browser_sessions(bool tls, int port);

    struct opened {
        std::string token;
        clock::time_point until;
    };
    struct begun {
        std::string set_cookie;  ///< value of the header
        std::string key;
        clock::time_point until;
    };
    begun begin(std::string_view token, clock::time_point now = clock::now()) const;
    /// Empty for a cookie that is missing, forged, encrypted with another key, or expired.
    std::optional<opened> open(std::string_view cookies, std::string_view key,
                               clock::time_point now = clock::now()) const;
    /// Value of the Set-Cookie header that removes the cookie.
    std::string end() const;

  private:
    std::string cookie(std::string_view value, std::chrono::seconds age) const;

    bool tls_;
    std::string name_;
};

}  // namespace postrider::serve
