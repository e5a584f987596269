#pragma once

#include <array>
#include <chrono>
#include <mutex>
#include <string>

#include "serve/figures/sampler.hpp"
#include "serve/pool.hpp"

namespace postrider::serve {

/// The first view of the page: figures, handlers, groups of dead letters and active replays, all of
/// one snapshot, so that their counts agree. Cached for a moment: more viewers cost no more
/// queries.
class overview {
  public:
    overview(pool& database, const sampler& figures) : database_(database), figures_(figures) {}

    /// A JSON object, without the history. error_texts: as the reader may see them.
    nlohmann::ordered_json read(bool error_texts);
    /// After a change: the next reader sees it.
    void forget();

  private:
    using clock = std::chrono::steady_clock;
    struct kept {
        std::mutex mutex;
        nlohmann::ordered_json seen;
        clock::time_point until{};
    };
    nlohmann::ordered_json look(bool error_texts);

    pool& database_;
    const sampler& figures_;
    std::array<kept, 2> kept_;  ///< without and with error texts
};

}  // namespace postrider::serve
