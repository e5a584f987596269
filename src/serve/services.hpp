#pragma once

#include "serve/allowance.hpp"
#include "serve/holders.hpp"
#include "serve/options.hpp"
#include "serve/pool.hpp"
#include "serve/sampler.hpp"

namespace postrider::serve {

/// What the routes of one server share.
class services {
  public:
    explicit services(serve_options given)
        : options(std::move(given)),
          database(options.database, options.sessions, options.statement_time),
          tokens(database, options),
          figures(database, options),
          requests(options.requests_per_s, options.burst),
          strangers(strangers_per_s, strangers_burst) {}

    const serve_options options;
    pool database;
    holders tokens;
    sampler figures;
    allowance requests;   ///< of a token
    allowance strangers;  ///< refused tokens of an address

  private:
    static constexpr double strangers_per_s = 1;
    static constexpr double strangers_burst = 20;
};

}  // namespace postrider::serve
