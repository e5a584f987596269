#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "serve/options.hpp"

namespace postrider::serve {

/// The checks of `postrider doctor` that need nothing but a session. Run on request, in a session
/// of their own; the result is kept for a moment, so that more viewers cost no more queries.
class doctor {
  public:
    explicit doctor(const serve_options& options) : options_(options) {}

    /// A JSON object: level, findings. Throws connection_error when the database is unavailable.
    std::string read();

  private:
    using clock = std::chrono::steady_clock;
    std::string examine() const;

    const serve_options& options_;
    std::mutex mutex_;
    std::string seen_;
    clock::time_point until_{};
};

}  // namespace postrider::serve
