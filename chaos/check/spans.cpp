#include "chaos/check/spans.hpp"

#include <algorithm>

namespace postrider::chaos {

span span::cut(const span& by) const { return {std::max(from, by.from), std::min(to, by.to)}; }

void append(spans& to, span more) {
    if (more.length() == 0) {
        return;
    }
    if (!to.empty() && more.from <= to.back().to) {
        to.back().to = std::max(to.back().to, more.to);
    } else {
        to.push_back(more);
    }
}

instant length_within(const spans& of, const span& where) {
    instant sum = 0;
    auto one = std::ranges::upper_bound(of, where.from, {}, &span::to);
    for (; one != of.end() && one->from < where.to; ++one) {
        sum += one->cut(where).length();
    }
    return sum;
}

void occupancy::add(span held, int count) {
    if (held.length() > 0) {
        changes_.push_back({held.from, count});
        changes_.push_back({held.to, -count});
    }
}

spans occupancy::at_least(int count) const {
    auto changes = changes_;
    std::ranges::sort(changes);
    spans made;
    int held = 0;
    instant since = 0;
    for (const auto& [at, by] : changes) {
        const bool many = held >= count;
        held += by;
        if (!many && held >= count) {
            since = at;
        } else if (many && held < count) {
            append(made, {since, at});
        }
    }
    return made;
}

}  // namespace postrider::chaos
