#pragma once

#include <memory>
#include <string>

#include "serve/options.hpp"

namespace postrider::serve {

/// The HTTP server of `postrider serve`. Serves until it is destroyed.
class server {
  public:
    /// Throws config_invalid for an address other than loopback without TLS or token, and for an
    /// address that is not available.
    explicit server(serve_options options);
    server(const server&) = delete;
    server& operator=(const server&) = delete;
    ~server();

    int port() const;
    /// The URL of the page, without a token.
    std::string url() const;
    /// The URL with the token, if there is a link.
    std::string link() const;

  private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

}  // namespace postrider::serve
