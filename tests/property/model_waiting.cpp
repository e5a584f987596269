// Messages that wait: noted by a cursor of their own, handed out by priority and due time.
#include <algorithm>

#include "property/model.hpp"

namespace postrider::test {
namespace {

constexpr std::int64_t a_minute = 60'000'000;

}  // namespace

std::vector<int> model::next_waiting(const consumer& by) const {
    std::vector<int> found;
    for (int m = 0; m < static_cast<int>(messages.size()); ++m) {
        const auto& the_message = nth(messages, m);
        if (the_message.waits() && the_message.committed() && the_message.in_log &&
            by.wants(the_message) && !passed(by, m)) {
            found.push_back(m);
        }
    }
    return found;
}

bool model::note_nothing(int consumer) {
    auto& by = nth(consumers, consumer);
    if (!next_waiting(by).empty()) {
        return false;
    }
    by.noted_until = clock_;
    return true;
}

/// The priorities that may get a tenth of a claim. A small one gives it to none as a rule.
std::vector<std::optional<int>> model::overdue(const consumer& by, int limit,
                                               const waiting_claim& seen) const {
    std::map<int, std::int64_t> first;
    for (const int m : by.waiting) {
        const auto& the_message = nth(messages, m);
        const auto [level, added] = first.try_emplace(the_message.priority, the_message.due_at);
        level->second = std::min(level->second, the_message.due_at);
    }
    std::erase_if(first,
                  [&](const auto& level) { return level.second > seen.not_after - a_minute; });
    if (first.empty()) {
        return {std::nullopt};
    }
    if (limit >= 10) {
        const auto longest =
            std::ranges::min_element(first, {}, [](const auto& level) { return level.second; });
        if (longest->second <= seen.not_before - a_minute) {
            return {longest->first};
        }
        return {std::nullopt, longest->first};
    }
    std::vector<std::optional<int>> any = {std::nullopt};
    for (const auto& level : first) {
        any.emplace_back(level.first);
    }
    return any;
}

std::vector<int> model::take(const consumer& by, int limit, bool idle, std::int64_t now,
                             std::optional<int> overdue) const {
    const auto urgency = [&](int m) {
        const auto& the_message = nth(messages, m);
        return std::tuple(-the_message.priority, the_message.due_at, the_message.seq);
    };
    std::vector<int> due;
    std::ranges::copy_if(by.waiting, std::back_inserter(due),
                         [&](int m) { return nth(messages, m).due_at <= now; });
    std::ranges::sort(due, {}, urgency);
    std::set<int> preferred;
    for (const int m : due) {
        if (overdue == nth(messages, m).priority &&
            static_cast<int>(preferred.size()) < std::max(limit / 10, 1)) {
            preferred.insert(m);
        }
    }
    std::erase_if(due, [&](int m) {
        return !idle && nth(messages, m).priority < 0 && !preferred.contains(m);
    });
    std::ranges::stable_partition(due, [&](int m) { return preferred.contains(m); });
    due.resize(std::min(due.size(), static_cast<std::size_t>(limit)));
    std::ranges::sort(due, {}, urgency);
    return due;
}

handed_out model::exchange_waiting(int worker, int limit, bool idle, const waiting_claim& seen) {
    auto& by = nth(consumers, nth(workers, worker).consumer);
    if (limit == 0 || by.paused) {
        return {};
    }
    const auto noted = next_waiting(by);
    by.waiting.insert(noted.begin(), noted.end());
    // The engine chooses the priority that gets a share; the messages left show that one of them
    // did.
    std::optional<std::vector<int>> taken;
    for (const auto& level : overdue(by, limit, seen)) {
        auto some = take(by, limit, idle, seen.not_before, level);
        const bool gone = std::ranges::none_of(some, [&](int m) { return seen.left.contains(m); });
        if (gone && (!taken || some.size() > taken->size())) {
            taken = std::move(some);
        }
    }
    std::string left;
    for (const int m : seen.left) {
        left += " " + nth(messages, m).id.substr(0, 8);
    }
    require(taken.has_value(), "a message that is due and comes first is among those left:" + left);
    for (const int m : *taken) {
        by.waiting.erase(m);
    }
    if (!noted.empty() || !taken->empty()) {
        by.noted_until = clock_;
    }
    auto result = give(worker, *taken, true);
    result.parked = noted.empty() && static_cast<int>(taken->size()) == limit
                        ? -1
                        : static_cast<int>(noted.size());
    return result;
}

handed_out model::exchange_in_turn(int worker, int limit, horizons& at, bool& waiting_first,
                                   const waiting_claim& seen) {
    const auto& by = nth(consumers, nth(workers, worker).consumer);
    const bool theirs = waiting_first;
    if (theirs) {
        auto result = exchange_waiting(worker, limit, false, seen);
        if (result.lease >= 0) {
            return result;
        }
    }
    auto result = exchange(worker, limit, at);
    waiting_first = true;
    const bool some_can_wait =
        std::ranges::any_of(by.waiting, [&](int m) { return nth(messages, m).priority < 0; });
    if (result.lease < 0 && result.parked == 0 && (!theirs || some_can_wait)) {
        const bool searched = result.searched;
        result = exchange_waiting(worker, limit, true, seen);
        result.searched = searched;
        waiting_first = false;
    }
    return result;
}

handed_out model::claim(int worker, int limit, horizons at, bool waiting_first,
                        const waiting_claim& seen) {
    while (true) {
        auto result = exchange_in_turn(worker, limit, at, waiting_first, seen);
        if (!result.members.empty() || result.parked == 0) {
            return result;
        }
    }
}

void model::carry_waiting(const std::vector<int>& some) {
    for (int c = 0; c < static_cast<int>(consumers.size()); ++c) {
        for (const int m : some) {
            if (nth(consumers, c).waiting.erase(m) == 0) {
                continue;
            }
            auto names = nth(consumers, c).route(nth(messages, m).type);
            if (names.empty()) {
                names.emplace_back();
            }
            for (const auto& name : names) {
                park({m, c, name});
            }
        }
    }
}

}  // namespace postrider::test
