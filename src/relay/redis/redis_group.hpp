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
        std::size_t message_bytes = 0;  ///< as a message
    };
    /// The entries refer to the answers of Redis.
    struct entries {
        std::vector<redis_reply> answers;
        std::vector<entry> all;
        std::size_t bytes = 0;  ///< of the answers or the messages, those that are larger
        std::size_t elements = 0;

        void append(entries more);
    };

    /// Creates the group, and an empty stream, when they do not exist.
    redis_group(const redis_settings& server, settings how);

    /// Entries that no consumer has had.
    entries read_new(int limit, std::chrono::milliseconds wait);
    struct claimed {
        std::vector<std::string> ids;
        std::string next;  ///< where the next call begins; "0-0" after the last entry
    };
    /// Claims entries that no consumer has kept alive for redeliver_after, without reading them.
    claimed claim(const std::string& from, int limit);
    /// Reads entries of this consumer. `deliveries`: what to say of each.
    entries read(std::span<const std::string> ids, int deliveries);
    /// Entries of this consumer that were handed out once, above an id unless it is empty.
    std::vector<std::string> handed_out_once(const std::string& above, int limit);
    void acknowledge(std::span<const std::string> ids);
    /// Lets any consumer claim them at once.
    void give_back(std::span<const std::string> ids);
    /// Does not affect entries that other consumers have claimed; returns the others.
    std::vector<std::string> keep_alive(std::span<const std::string> ids);
    /// Leaves the group unless entries are pending.
    void leave();

  private:
    redis_reply require(const std::vector<std::string_view>& command);
    std::vector<std::string> own(std::span<const std::string> ids, const std::string& idle);
    entries one_answer(redis_reply reply, const redisReply* list, int deliveries) const;

    redis_session session_;
    const settings settings_;
};

}  // namespace postrider::relaying
