#pragma once

#include <memory>
#include <string>

#include "serve/options.hpp"

namespace postrider::serve {

/// The operator's surface. Serves from start() until it is destroyed.
class server {
  public:
    /// Throws config_invalid when the address is open to others and there is no TLS or no token,
    /// or when it cannot be listened at.
    explicit server(serve_options options);
    server(const server&) = delete;
    server& operator=(const server&) = delete;
    ~server();

    int port() const;
    /// Where the page is, without a token.
    std::string url() const;
    /// With one, when there is a link.
    std::string link() const;

  private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

}  // namespace postrider::serve
