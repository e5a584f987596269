#include "chaos/faults/schedule.hpp"

#include <algorithm>

namespace postrider::chaos {
namespace {

using namespace std::chrono_literals;

constexpr auto first_at = 2000ms;
// Time to recover from the last faults.
constexpr auto quiet_end = 3000ms;

}  // namespace

std::vector<planned_fault> plan_faults(std::uint64_t seed, std::chrono::seconds length,
                                       const std::vector<const fault*>& kinds) {
    std::vector<planned_fault> plan;
    random_source random(seed);
    std::vector<const fault*> bag;
    for (auto at = first_at; at < length - quiet_end && !kinds.empty();) {
        if (bag.empty()) {
            bag = kinds;
        }
        const auto chosen = bag.begin() + random.below(static_cast<int>(bag.size()));
        const auto* kind = *chosen;
        bag.erase(chosen);
        const auto lasts = std::chrono::milliseconds(random.between(
            static_cast<int>(kind->shortest.count()), static_cast<int>(kind->longest.count())));
        plan.push_back({at, lasts, kind, seed * 1000 + plan.size()});
        at += std::chrono::milliseconds(random.between(300, 2600));
    }
    return plan;
}

}  // namespace postrider::chaos
