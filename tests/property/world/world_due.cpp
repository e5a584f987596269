// Deliveries that need attention: claimed when they are due, reported one by one.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "property/world/world.hpp"

namespace postrider::test {

void world::claim_due(random_source& random) {
    const int worker = draw_worker(random);
    if (worker >= 0) {
        const int hold = random.percent(50) ? random.between(1, 20) : 0;
        const int least = hold > 0 ? 0 : 1;
        claim_due_up_to(worker, {random.between(least, 8), hold, random.percent(60)});
    }
}

void world::claim_due_up_to(int worker, due_amounts amounts) {
    auto& the_worker = nth(model_.workers, worker);
    note(fmt::format("claim {} due and {} to hold for worker {}{}", amounts.limit, amounts.hold,
                     worker, amounts.alone ? " alone" : ""));
    const char* sql =
        "select delivery_id, lease_token, handler, id, attempts, alone "
        "from postrider.claim_due($1, $2, p_alone => $3, p_hold => $4)";
    const pg::params values(the_worker.id, amounts.limit, amounts.alone, amounts.hold);
    if (refused(hands_, worker, sql, values)) {
        return;
    }
    std::vector<owed_key> candidates;
    for (const auto& [key, item] : model_.ledger) {
        if (model_.claimable(worker, key, item, amounts.alone && amounts.limit > 0)) {
            candidates.push_back(key);
        }
    }
    const auto rows = hands_.exec_params(sql, values);
    the_worker.alive =
        the_worker.alive || !nth(model_.consumers, the_worker.consumer).paused;  // a heartbeat
    std::vector<owed_key> claimed;
    for (int i = 0; i < rows.rows(); ++i) {
        const auto id = rows.text(i, 3);
        const auto found = std::ranges::find_if(candidates, [&](const owed_key& key) {
            return key.handler == rows.text(i, 2) && nth(model_.messages, key.message).id == id;
        });
        require(found != candidates.end(),
                fmt::format("claim_due gave {} of {}, which is not due", id, rows.text(i, 2)));
        claimed.push_back(*found);
        auto& item = model_.ledger[*found];
        require(item.state == progress::pending, fmt::format("claim_due gave {} twice", id));
        require(rows.get<bool>(i, 5) == (item.crashes > 0), "alone is wrong");
        ++item.attempts;
        require(rows.get<int>(i, 4) == item.attempts, "the attempts of a due delivery are wrong");
        item.state = progress::in_flight;
        item.id = rows.get<std::int64_t>(i, 0);
        item.token = rows.get<std::string>(i, 1);
        item.worker = worker;
        runs_.push_back({*found, item.id, item.token, worker});
        history_.started(model_, *found);
    }
    require_fair(candidates, claimed, amounts);
}

/// The most urgent deliveries first, as many as there are. A delivery that was charged with a crash
/// is never handed out beside others, a suspect only for a free thread.
void world::require_fair(const std::vector<owed_key>& candidates,
                         const std::vector<owed_key>& claimed, due_amounts amounts) const {
    const auto priority = [&](const owed_key& key) {
        return nth(model_.messages, key.message).priority;
    };
    const auto crashed = [&](const owed_key& key) { return model_.ledger.at(key).crashes > 0; };
    const auto suspect = [&](const owed_key& key) { return model_.ledger.at(key).suspect; };
    const auto most = static_cast<std::size_t>(amounts.limit + amounts.hold);
    require(claimed.size() <= most, "claim_due gave too many");
    if (std::ranges::any_of(claimed, crashed)) {
        require(claimed.size() == 1, "one that crashed its worker was not handed out alone");
    }
    const auto at_once = std::min(claimed.size(), static_cast<std::size_t>(amounts.limit));
    require(std::none_of(claimed.begin() + static_cast<std::ptrdiff_t>(at_once), claimed.end(),
                         suspect),
            "claim_due gave a suspect that has to wait for a thread");
    if (candidates.empty() || (amounts.hold > 0 && std::ranges::any_of(candidates, suspect))) {
        return;
    }
    require(!claimed.empty(), fmt::format("claim_due gave nothing, {} are due", candidates.size()));
    require(std::ranges::is_sorted(claimed, std::greater{}, priority),
            "claim_due does not give the most urgent first");
    require(priority(claimed.front()) == priority(std::ranges::max(candidates, {}, priority)),
            "claim_due left out the most urgent");
    if (std::ranges::none_of(candidates, crashed)) {
        require(claimed.size() == std::min(candidates.size(), most),
                fmt::format("claim_due gave {} of {} with limit {} and hold {}", claimed.size(),
                            candidates.size(), amounts.limit, amounts.hold));
    }
}

void world::settle_due(random_source& random) {
    std::vector<int> running;
    for (const auto& [key, item] : model_.ledger) {
        if (item.state == progress::in_flight) {
            running.push_back(item.worker);
        }
    }
    const int worker =
        running.empty() || random.percent(10) ? draw_worker(random) : random.pick(running);
    std::vector<std::pair<run, failure>> outcomes;
    std::set<std::int64_t> named;
    // The newest first: runs that were reported or reaped are now and then reported again, most of
    // all when another worker runs them again.
    for (auto each = runs_.rbegin(); each != runs_.rend(); ++each) {
        const auto& item = model_.ledger.at(each->key);
        const int chance = item.state != progress::in_flight ? 5 : 60;
        if (each->worker == worker && random.percent(chance) && !named.contains(each->delivery)) {
            named.insert(each->delivery);
            outcomes.emplace_back(*each, draw_failure(each->key.message, random));
            if (random.percent(10)) {
                outcomes.back().first.token = random.uuid();
            }
        }
    }
    if (!outcomes.empty()) {
        settle_runs(worker, outcomes);
    }
}

void world::settle_runs(int worker, const std::vector<std::pair<run, failure>>& outcomes) {
    std::string json;
    for (const auto& [each, reported] : outcomes) {
        json += fmt::format(R"({}{{"delivery": {}, "token": "{}", {}}})", json.empty() ? "" : ", ",
                            each.delivery, each.token, outcome_json(reported));
    }
    note(fmt::format("settle due for worker {}: [{}]", worker, json));
    const char* sql = "select delivery_id, result from postrider.settle_due($1, $2)";
    const pg::params values(nth(model_.workers, worker).id, "[" + json + "]");
    if (refused(hands_, worker, sql, values)) {
        return;
    }
    const auto rows = hands_.exec_params(sql, values);
    require(rows.rows() == static_cast<int>(outcomes.size()),
            "settle_due did not answer for everything");
    std::map<std::int64_t, std::string> answers;
    for (int i = 0; i < rows.rows(); ++i) {
        answers[rows.get<std::int64_t>(i, 0)] = rows.get<std::string>(i, 1);
    }
    static const char* const status[] = {"", "pending", "", "delivered", "failed"};
    for (const auto& [each, reported] : outcomes) {
        const auto& item = model_.ledger.at(each.key);
        std::string expected = "lost_lease";
        if (item.state == progress::in_flight && item.token == each.token) {
            model_.conclude(each.key, reported.result, reported.at_once);
            expected = status[static_cast<int>(item.state)];
        }
        require(answers[each.delivery] == expected,
                fmt::format("settle_due said {} of {}, expected {}", answers[each.delivery],
                            each.delivery, expected));
    }
}

}  // namespace postrider::test
