#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "relay/redis/redis_session.hpp"

namespace postrider::relaying {

/// A member of a consumer group of a Redis stream. Every function throws redis_failure; the
/// connection is unusable then.
class redis_group {
  public:
    struct settings {
        std::string stream;
        std::string group;
        std::string consumer;  ///< the name of this member, also after a reconnection
        std::chrono::milliseconds redeliver_after;
    };
    using field = std::pair<std::string_view, std::string_view>;
    struct entry {
        std::string_view id;
        std::vector<field> fields;
        int deliveries = 1;
    };
    /// The entries refer to the answers of Redis.
    struct entries {
        std::vector<redis_reply> answers;
        std::vector<entry> all;
        std::size_t bytes = 0;
        std::size_t elements = 0;
    };

    /// Creates the group, and an empty stream, when they do not exist.
    redis_group(const redis_settings& server, settings how);

    /// How many entries of lost consumers one answer has.
    enum class claims { in_batches, singly, none };
    /// New entries, and entries that no consumer has kept alive for redeliver_after.
    entries fetch(int limit, claims how, std::chrono::milliseconds wait);
    bool acknowledge(std::span<const std::string> ids);
    /// Lets any consumer claim them at once.
    bool give_back(std::span<const std::string> ids);
    /// Does not affect entries that other consumers have claimed.
    bool keep_alive(std::span<const std::string> ids);
    /// Leaves the group unless entries are pending.
    void leave();

  private:
    using clock = std::chrono::steady_clock;

    redis_reply require(const std::vector<std::string_view>& command);
    bool own(std::span<const std::string> ids, const std::string& idle);
    void claim_lost(int limit, entries& into);
    void claim_next(int limit, clock::time_point now, entries& into);

    redis_session session_;
    const settings settings_;
    std::string claim_from_ = "0-0";
    clock::time_point next_claim_ = {};
};

}  // namespace postrider::relaying
