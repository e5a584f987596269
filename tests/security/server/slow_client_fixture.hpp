#pragma once

#include <memory>
#include <vector>

#include "serve/serve_fixture.hpp"
#include "support/raw_connection.hpp"

namespace postrider::test {

/// Clients that keep connections open with requests that they do not finish.
class slow_client_fixture : public serve_fixture {
  protected:
    using connections = std::vector<std::unique_ptr<raw_connection>>;

    /// An unfinished request is not cut off during a test.
    serve::serve_options options() const {
        auto settings = serve_fixture::options();
        settings.read_time = std::chrono::minutes(1);
        return settings;
    }
};

}  // namespace postrider::test
