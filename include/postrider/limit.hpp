#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <postrider/export.hpp>
#include <string>

namespace postrider {

/// Rate limit of the starts of runs.
struct start_rate {
    int starts = 0;  ///< 1 to 1,000,000
    std::chrono::milliseconds period = std::chrono::seconds(1);
    std::optional<int> burst = {};  ///< starts at once; default: `starts`

    bool operator==(const start_rate&) const = default;
};

/// Limits the runs of a handler. Messages that cannot start are throttled: they wait, spend no
/// attempt, and none is dropped. An empty field sets no limit.
struct handler_limit {
    std::optional<int> concurrency = {};  ///< runs at once, in all workers of the consumer
    std::optional<int> per_worker = {};   ///< runs at once in one worker
    std::optional<start_rate> rate = {};
    /// The field of messages that is their key: workspace_id, ordering_key, partition_key, source
    /// or event_type. Throttled messages of different keys take turns.
    std::string key = {};
    std::optional<int> per_key = {};  ///< runs at once of one key
    std::optional<start_rate> key_rate = {};
    std::map<std::string, int> weights = {};  ///< number of turns per key (default 1)

    bool operator==(const handler_limit&) const = default;
};

/// The limit as register_worker() and set_limit() take it.
POSTRIDER_EXPORT std::string to_json(const handler_limit& limit);

}  // namespace postrider
