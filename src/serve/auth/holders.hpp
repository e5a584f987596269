#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "serve/options.hpp"
#include "serve/pool.hpp"
#include "store/operate/tokens.hpp"

namespace postrider::serve {

/// Finds the holders of access tokens. Results are cached for a few seconds, so that a page with
/// many requests costs one query; a revoked token is refused after that time.
class holders {
  public:
    holders(pool& database, const serve_options& options);

    /// Empty for an invalid token. Throws when the database is needed and unavailable. If the
    /// server's database role is a viewer, every holder is a viewer.
    std::optional<store::token_holder> of(const std::string& token);

    /// Whether this token is the link's, or was valid at the last query.
    bool was_good(const std::string& token);

  private:
    std::optional<store::token_holder> stored(const std::string& token);
    using clock = std::chrono::steady_clock;
    struct known {
        store::token_holder holder;
        clock::time_point until;
    };

    pool& database_;
    std::string link_sha256_;  ///< empty: no link
    store::token_holder link_;
    std::mutex mutex_;
    std::unordered_map<std::string, known> known_;
};

}  // namespace postrider::serve
