#pragma once

#include <atomic>
#include <optional>
#include <postrider/outcome.hpp>
#include <span>
#include <vector>

#include "store/work/workers.hpp"
#include "worker/runs/handlers.hpp"

namespace postrider::working {

/// The rule of immediate retries: a failed run of a lease is repeated at once, by the same thread,
/// as often as the database allows (postrider.immediate_retries()). Runners call failed() and
/// succeeded() at any time, the coordinator the others.
class immediate_retries {
  public:
    /// Before any run: `threads` is the number of those that run handlers.
    void start(const handler_table& handlers, int threads);
    /// The database's answer. A handler that it does not name gets none.
    void learn(std::span<const store::immediate_retry_grant> grants);
    /// A stopping worker repeats no run.
    void stop() { stopped_ = true; }

    /// A run failed, the `attempts`-th of the message: whether it is repeated. `max_attempts`: the
    /// message's own.
    bool failed(const handler& by, const outcome& how, int attempts,
                std::optional<int> max_attempts);
    void succeeded(const handler& by);

  private:
    struct entry {
        const handler* by = nullptr;
        std::atomic<int> retries = 0;
        std::atomic<int> failures_max = 0;
        std::atomic<int> failures = 0;  ///< in a row, of all threads; not above the maximum
    };
    entry* of(const handler& by);

    std::vector<entry> entries_;  ///< few, so that a search costs nothing
    int threads_ = 0;
    std::atomic<bool> stopped_ = false;
};

}  // namespace postrider::working
