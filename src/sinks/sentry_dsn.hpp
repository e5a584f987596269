#pragma once

#include <string>
#include <string_view>

namespace postrider::sinks {

/// A DSN of Sentry in its parts: <scheme>://<key>[:<secret>]@<host>[:<port>][/<path>]/<project>.
struct sentry_dsn {
    std::string envelope_url;  ///< where envelopes are posted
    std::string public_key;

    /// Throws error for an invalid DSN. The error does not contain it.
    static sentry_dsn parse(std::string_view text);
};

}  // namespace postrider::sinks
