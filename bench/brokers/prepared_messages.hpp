#pragma once

#include <span>
#include <string>
#include <vector>

#include "relay/publisher.hpp"

namespace postrider::bench {

/// Messages in memory, with the destination and the headers that a relay would give them.
class prepared_messages {
  public:
    prepared_messages(int count, const std::string& destination, relaying::binding headers);
    prepared_messages(const prepared_messages&) = delete;
    prepared_messages& operator=(const prepared_messages&) = delete;

    std::span<const relaying::outgoing> all() const { return outgoing_; }

  private:
    std::vector<std::string> payloads_;
    std::vector<event> events_;
    std::vector<relaying::outgoing> outgoing_;
};

}  // namespace postrider::bench
