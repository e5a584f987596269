#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relay/publisher.hpp"
#include "relay/redis/redis_session.hpp"

namespace postrider::relaying {

/// A script that adds entries to a stream unless their deduplication ids are known. The answer has
/// an element per message: the id of its entry, or the error about it. An entry that Redis refuses
/// leaves no deduplication key behind.
extern const char* const add_once_script;

/// Indexes of the messages of each call: of one stream, in their order, and few enough that Redis
/// is not busy with one call for long.
std::vector<std::vector<std::size_t>> calls_for(std::span<const outgoing> all);

/// The command of one call. Refers to the messages, which must outlive it.
class add_once_command {
  public:
    add_once_command(std::string_view script_hash, std::span<const outgoing> all,
                     std::span<const std::size_t> indexes, const redis_settings& how);

    std::span<const std::string_view> words() const { return words_; }

  private:
    void add_shapes(std::span<const outgoing> all, std::span<const std::size_t> indexes);
    std::string_view keep(std::string text) { return made_.emplace_back(std::move(text)); }

    std::deque<std::string> made_;  ///< texts that are not part of a message
    std::vector<std::string_view> words_;
};

}  // namespace postrider::relaying
