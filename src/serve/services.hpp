#pragma once

#include "serve/auth/allowance.hpp"
#include "serve/auth/holders.hpp"
#include "serve/auth/session.hpp"
#include "serve/figures/doctor.hpp"
#include "serve/figures/overview.hpp"
#include "serve/figures/sampler.hpp"
#include "serve/options.hpp"
#include "serve/pool.hpp"

namespace postrider::serve {

/// Shared state of the routes of one server.
class services {
  public:
    explicit services(serve_options settings)
        : options(std::move(settings)),
          database(options.database, options.sessions, options.statement_time),
          tokens(database, options),
          figures(database, options),
          screen(database, figures),
          checks(options),
          requests(options.requests_per_s, options.burst),
          strangers(options.guesses_per_s, options.guesses_burst),
          lookups(options.lookups_per_s, options.lookups_burst) {}

    const serve_options options;
    pool database;
    holders tokens;
    sampler figures;
    overview screen;
    doctor checks;
    /// Known when the server listens: the port is part of the cookie's name.
    std::optional<browser_sessions> browsers = {};
    allowance requests;   ///< of a token
    allowance strangers;  ///< requests of an address without a valid token
    allowance lookups;    ///< queries for tokens that were not valid before, of all addresses
};

}  // namespace postrider::serve
