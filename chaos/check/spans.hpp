#pragma once

#include <vector>

#include "chaos/record/record.hpp"

namespace postrider::chaos {

/// A stretch of time: from `from` until `to`.
struct span {
    instant from = 0;
    instant to = 0;

    instant length() const { return to > from ? to - from : 0; }
    span cut(const span& by) const;
};

/// In order, none of them touches another.
using spans = std::vector<span>;

/// Adds one that begins no earlier than the last one; spans that touch become one.
void append(spans& to, span more);
/// How much of them lies within a stretch of time.
instant length_within(const spans& of, const span& where);

/// Counts items that are held for a time, to find the times with many of them.
class occupancy {
  public:
    void add(span held, int count = 1);
    /// When at least `count` were held at once.
    spans at_least(int count) const;

  private:
    struct change {
        instant at;
        int by;
        auto operator<=>(const change&) const = default;
    };
    std::vector<change> changes_;
};

}  // namespace postrider::chaos
