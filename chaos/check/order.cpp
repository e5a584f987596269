// A message of an ordering key begins after the messages before it were delivered.
#include <algorithm>
#include <limits>

#include "chaos/check/verdict.hpp"

namespace postrider::chaos {
namespace {

// Followers of a dead letter run without it, and its replay comes after them.
bool was_dead(const obligation& owed) {
    return std::ranges::any_of(owed.delivery,
                               [](const record& one) { return one.text("to") == "failed"; });
}

// The time of the first delivery: a later run is a repetition caused by a killed worker.
instant delivered_at(const obligation& owed) {
    auto first = std::numeric_limits<instant>::max();
    for (const auto& run : owed.runs) {
        if (run.outcome == "delivered") {
            first = std::min(first, *run.ended);
        }
    }
    return first;
}

}  // namespace

void check_order(const facts& from, verdict& to) {
    std::map<std::pair<std::string, std::string>, std::vector<const obligation*>> keys;
    for (const auto& [name, owed] : from.obligations) {
        if (owed.role->ordered && !owed.message->account.empty()) {
            keys[{owed.role->consumer, owed.message->account}].push_back(&owed);
            ++to.keyed;
        }
    }
    for (auto& [key, all] : keys) {
        std::ranges::sort(all, {}, [](const obligation* one) { return one->message->version; });
        const obligation* before = nullptr;  // the one of the earlier ones that was delivered last
        for (const auto* one : all) {
            if (before != nullptr && !one->runs.empty() &&
                one->runs.front().began < delivered_at(*before)) {
                ++to.inversions;
                to.add("I14", key.first + ": version " + std::to_string(one->message->version) +
                                  " of " + key.second + " began before version " +
                                  std::to_string(before->message->version) + " was delivered");
            }
            if (!was_dead(*one) && !one->runs.empty() &&
                (before == nullptr || delivered_at(*one) > delivered_at(*before))) {
                before = one;
            }
        }
    }
}

}  // namespace postrider::chaos
