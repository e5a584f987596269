#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "pg/connection.hpp"

namespace postrider::bench {

/// A queue as its consumer sees it, on one session.
class source {
  public:
    source() = default;
    source(const source&) = delete;
    source& operator=(const source&) = delete;
    virtual ~source() = default;

    /// Acknowledges the messages it holds and takes at most `limit` more; returns their number.
    virtual int next(int limit) = 0;
    /// The payload of a message it holds.
    virtual std::string_view payload(int index) const = 0;
    /// From now on wait() returns soon after a message was published.
    virtual void be_woken() = 0;
    virtual void wait() = 0;
};

/// `system` is one of postrider, pgmq, pgq, classic or, ordered by priority, classic_priority.
std::unique_ptr<source> make_source(const std::string& system, pg::connection session);

/// The number that payload() of the workload put into a message.
std::int64_t number_in(std::string_view payload);

}  // namespace postrider::bench
