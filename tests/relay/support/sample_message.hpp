#pragma once

#include <span>
#include <string>

#include "relay/publisher.hpp"

namespace postrider::test {

/// A message that goes to a publisher directly, without a database.
class sample_message {
  public:
    explicit sample_message(const std::string& destination, int cycle = 1,
                            std::string_view payload = "{}")
        : event_(fields(cycle, payload)),
          outgoing_{&event_, destination, relaying::dedupe_id(event_),
                    relaying::cloud_event_headers(event_, relaying::binding::kafka)} {}
    sample_message(const sample_message&) = delete;
    sample_message& operator=(const sample_message&) = delete;

    std::span<const relaying::outgoing> only() const { return {&outgoing_, 1}; }

  private:
    static event_fields fields(int cycle, std::string_view payload) {
        event_fields made;
        made.id[15] = 7;
        made.event_type = "order.placed";
        made.source = "shop";
        made.payload = payload;
        made.ordering_key = "key 1";
        made.cycle = cycle;
        return made;
    }
    event event_;
    relaying::outgoing outgoing_;
};

}  // namespace postrider::test
