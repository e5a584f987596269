#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "serve/options.hpp"
#include "serve/pool.hpp"
#include "store/tokens.hpp"

namespace postrider::serve {

/// Whose access token is whose. Remembers answers for a moment, so that a page that asks for many
/// things at once costs one question; a revoked token is refused after that moment.
class holders {
  public:
    holders(pool& database, const serve_options& options);

    /// Nothing when the token is good for nothing. Throws when the database is needed and away.
    /// Where the server's database role may only look, whoever comes is a viewer.
    std::optional<store::token_holder> of(const std::string& token);

    /// Whether this token is the link's, or was good when it was last looked up.
    bool was_good(const std::string& token);

  private:
    std::optional<store::token_holder> stored(const std::string& token);
    using clock = std::chrono::steady_clock;
    struct known {
        store::token_holder holder;
        clock::time_point until;
    };

    pool& database_;
    std::string link_sha256_;  ///< empty: there is no link
    store::token_holder link_;
    std::mutex mutex_;
    std::unordered_map<std::string, known> known_;
};

}  // namespace postrider::serve
