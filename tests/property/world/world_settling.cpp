// Workers' reports of their leases: correct, repeated, late, or with a forged token.
#include <fmt/format.h>

#include <algorithm>

#include "property/world/world.hpp"

namespace postrider::test {
namespace {

outcome draw_outcome(random_source& random) {
    static const std::vector<outcome> all = {
        outcome::delivered, outcome::transient, outcome::transient,  outcome::terminal,
        outcome::crashed,   outcome::snooze,    outcome::interrupted};
    return random.pick(all);
}

}  // namespace

std::string world::outcome_json(const failure& failed) {
    auto text = fmt::format(R"("outcome": "{}", "error": "as drawn")", name_of(failed.result));
    if (failed.result == outcome::snooze || failed.at_once) {
        text += fmt::format(R"(, "delay_ms": {})", failed.at_once ? 0 : 600000);
    }
    return text;
}

failure world::draw_failure(int message, random_source& random) {
    failure failed{.message = message, .result = draw_outcome(random)};
    failed.at_once = random.percent(30);
    return failed;
}

std::string world::seqs(const std::set<int>& which) const {
    std::string text;
    for (const int m : which) {
        text += fmt::format("{}{}", text.empty() ? "" : ",", nth(model_.messages, m).seq);
    }
    return "{" + text + "}";
}

std::string world::failures_json(const std::vector<failure>& failures) const {
    std::string text;
    for (const auto& each : failures) {
        text += fmt::format(R"({}{{"seq": {}, {}{}}})", text.empty() ? "" : ", ",
                            nth(model_.messages, each.message).seq,
                            each.handler ? fmt::format(R"("handler": "{}", )", *each.handler) : "",
                            outcome_json(each));
    }
    return "[" + text + "]";
}

world::report world::draw_report(int lease, random_source& random) const {
    report sent;
    std::set<int> done;
    for (const int m : nth(model_.leases, lease).members) {
        const int drawn = random.below(10);
        if (drawn < 5) {
            done.insert(m);
        } else if (drawn < 8) {
            auto failed = draw_failure(m, random);
            const auto handlers = model_.of_lease(lease, m);
            if (random.percent(50)) {
                failed.handler = random.pick(handlers).handler;
            } else if (!model_.newcomers(lease, m).empty()) {
                failed.result = outcome::interrupted;  // they did not run
            }
            sent.failures.push_back(failed);
        }
    }
    if (random.percent(60)) {
        sent.delivered = done;
    }
    return sent;
}

void world::settle(random_source& random) {
    const int lease = draw_lease(random);
    if (lease < 0) {
        return;
    }
    settle_with(lease, random.percent(30) ? report{} : draw_report(lease, random));
}

void world::settle_with(int lease, const report& sent) {
    const auto& held = nth(model_.leases, lease);
    note(fmt::format("settle lease {}: {} {}", lease,
                     sent.delivered ? seqs(*sent.delivered) : "all", failures_json(sent.failures)));
    const char* sql = "select postrider.settle($1, $2, $3, $4, $5)";
    pg::params values(nth(model_.workers, held.worker).id, held.id, held.token);
    values.add(sent.delivered ? std::optional(seqs(*sent.delivered)) : std::nullopt);
    values.add(sent.failures.empty() ? std::nullopt : std::optional(failures_json(sent.failures)));
    if (refused(hands_, held.worker, sql, values)) {
        return;
    }
    const auto answer = hands_.exec_params(sql, values).get<std::string>(0, 0);
    const auto expected = model_.settle(lease, sent.delivered, sent.failures);
    require(answer == expected, "settle said " + answer + ", expected " + expected);
}

void world::settle_forged(random_source& random) {
    const int lease = draw_lease(random);
    if (lease < 0) {
        return;
    }
    const auto& held = nth(model_.leases, lease);
    note(fmt::format("settle lease {} with another token", lease));
    const char* sql = random.percent(50) ? "select postrider.settle($1, $2, $3)"
                                         : "select settled from postrider.exchange($1, 0, $2, $3)";
    const pg::params values(nth(model_.workers, held.worker).id, held.id, random.uuid());
    if (refused(hands_, held.worker, sql, values)) {
        return;
    }
    const auto answer = hands_.exec_params(sql, values).get<std::string>(0, 0);
    require(answer == "lost_lease", "another token was told: " + answer);
}

void world::release(random_source& random) {
    const int lease = draw_lease(random);
    if (lease < 0) {
        return;
    }
    const auto& held = nth(model_.leases, lease);
    std::set<int> which;
    for (const int m : held.members) {
        if (random.percent(60)) {
            which.insert(m);
        }
    }
    const bool all = random.percent(50);
    note(fmt::format("release of lease {}: {}", lease, all ? "all" : seqs(which)));
    const char* sql = "select postrider.release($1, $2, $3, $4)";
    pg::params values(nth(model_.workers, held.worker).id, held.id, held.token);
    values.add(all ? std::nullopt : std::optional(seqs(which)));
    if (refused(hands_, held.worker, sql, values)) {
        return;
    }
    const auto answer = hands_.exec_params(sql, values).get<std::string>(0, 0);
    std::vector<failure> given_back;
    for (const int m : held.members) {
        if (all || which.contains(m)) {
            given_back.push_back({.message = m, .result = outcome::interrupted});
        }
    }
    const auto expected = model_.settle(lease, std::set<int>{}, given_back);
    require(answer == expected, "release said " + answer + ", expected " + expected);
}

// Work that ends in a rollback never happened.
void world::abandon(random_source& random) {
    const int worker = draw_worker(random);
    const int lease = draw_lease(random);
    if (worker < 0 || !nth(model_.workers, worker).registered) {
        return;
    }
    note(fmt::format("worker {} claims, settles lease {} and rolls back", worker, lease));
    hands_.exec("begin");
    hands_.exec_params("select from postrider.claim($1, 5)",
                       pg::params(nth(model_.workers, worker).id));
    hands_.exec_params("select from postrider.exchange_waiting($1, 5)",
                       pg::params(nth(model_.workers, worker).id));
    hands_.exec_params("select from postrider.claim_due($1, 5)",
                       pg::params(nth(model_.workers, worker).id));
    if (lease >= 0) {
        const auto& held = nth(model_.leases, lease);
        hands_.exec_params("select postrider.settle($1, $2, $3)",
                           pg::params(nth(model_.workers, worker).id, held.id, held.token));
    }
    hands_.exec("rollback");
}

}  // namespace postrider::test
