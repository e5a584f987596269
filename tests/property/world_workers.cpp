// Workers: what they claim, what they report, and what they report too late.
#include <fmt/format.h>

#include <algorithm>
#include <postrider/error.hpp>

#include "property/world.hpp"

namespace postrider::test {
namespace {

constexpr int workers_max = 3;  // of one consumer

outcome draw_outcome(dice& random) {
    static const std::vector<outcome> all = {outcome::delivered,  outcome::failed,  outcome::failed,
                                             outcome::terminal,   outcome::crashed, outcome::snooze,
                                             outcome::interrupted};
    return random.pick(all);
}

}  // namespace

std::string world::outcome_json(const failure& what) {
    auto text = fmt::format(R"("outcome": "{}", "error": "as drawn")", name_of(what.what));
    if (what.what == outcome::snooze || what.at_once) {
        text += fmt::format(R"(, "delay_ms": {})", what.at_once ? 0 : 600000);
    }
    return text;
}

failure world::draw_failure(int message, dice& random) {
    failure what{.message = message, .what = draw_outcome(random)};
    what.at_once = random.percent(30);
    return what;
}

void world::register_worker(dice& random) {
    const auto& plan = random.pick(plans_);
    const int consumer = model_.find_consumer(plan.name, plan.channel);
    const auto busy = std::ranges::count_if(model_.workers, [&](const worker& each) {
        return each.consumer == consumer && each.registered && each.alive;
    });
    if (busy >= workers_max) {
        return;
    }
    std::vector<handler> chosen;
    for (const auto& each : plan.handlers) {
        auto* known = consumer < 0 ? nullptr : nth(model_.consumers, consumer).find(each.name);
        const bool retired = known != nullptr && !known->active;
        if (random.percent(retired ? 15 : known != nullptr ? 80 : 40)) {
            chosen.push_back(each);
        }
    }
    if (!chosen.empty()) {
        add_worker(random.uuid(), plan, chosen, random.percent(40));
    }
}

void world::add_worker(const std::string& id, const consumer_plan& plan,
                       const std::vector<handler>& handlers, bool from_beginning) {
    worker who{.id = id};
    std::string json;
    for (const auto& each : handlers) {
        std::string patterns;
        for (const auto& pattern : each.patterns) {
            patterns += fmt::format("{}\"{}\"", patterns.empty() ? "" : ", ", pattern);
        }
        json += fmt::format(
            R"({}{{"name": "{}", "event_types": [{}], "max_attempts": {}, "crashes_max": {},
                "retry": {{"curve": "fixed", "base_ms": 300000}}}})",
            json.empty() ? "" : ", ", each.name, patterns, each.max_attempts, each.crashes_max);
        who.handlers.insert(each.name);
    }
    std::string names;
    for (const auto& each : who.handlers) {
        names += " " + each;
    }
    note(fmt::format("register worker {} of {} on {}{} with{}", model_.workers.size(), plan.name,
                     plan.channel, from_beginning ? " from the beginning" : "", names));
    hands_.exec_params(
        "select postrider.register_worker($1, $2, $3, $4, p_alive_for => '1 day', "
        "p_from_beginning => $5)",
        pg::params(id, plan.name, "[" + json + "]", plan.channel, from_beginning));
    who.consumer = model_.create_consumer(plan.name, plan.channel, from_beginning);
    for (const auto& each : handlers) {
        model_.register_handler(who.consumer, each);
    }
    model_.workers.push_back(who);
}

int world::draw_worker(dice& random) const {
    return model_.workers.empty() ? -1 : random.below(static_cast<int>(model_.workers.size()));
}

/// An open one as a rule.
int world::draw_lease(dice& random) const {
    std::vector<int> open;
    for (std::size_t i = 0; i < model_.leases.size(); ++i) {
        if (!model_.leases[i].finished) {
            open.push_back(static_cast<int>(i));
        }
    }
    if (!open.empty() && random.percent(85)) {
        return random.pick(open);
    }
    return model_.leases.empty() ? -1 : random.below(static_cast<int>(model_.leases.size()));
}

/// A worker that is not registered (any more) may do nothing.
bool world::refused(int worker, const char* sql, const pg::params& values) {
    if (nth(model_.workers, worker).registered) {
        return false;
    }
    try {
        hands_.exec_params(sql, values);
    } catch (const error& problem) {
        require(problem.code() == errc::worker_not_registered,
                std::string("a forgotten worker was told: ") + problem.what());
        return true;
    }
    throw disagreement("a forgotten worker may still work");
}

world::cursor_row world::read_cursor(int consumer) {
    const auto& who = nth(model_.consumers, consumer);
    const auto row = admin_.exec_params(
        "select l.id, l.worker_id is null, pg_snapshot_xmax(l.done_snapshot)::text, "
        "pg_snapshot_xmax(l.open_snapshot)::text "
        "from postrider.lease l join postrider.consumer c on c.id = l.consumer_id "
        "where c.name = $1 and c.channel = $2 order by l.id desc limit 1",
        pg::params(who.name, who.channel));
    return {
        .lease = row.get<std::int64_t>(0, 0),
        .moved_only = row.get<bool>(0, 1),
        .at = {std::stoull(row.get<std::string>(0, 2)), std::stoull(row.get<std::string>(0, 3))}};
}

// Whether the cursor moves over what nobody wants is the engine's affair; that it moves over
// nothing else is the model's.
void world::follow_cursor(int consumer, const cursor_row& before, const handed_out& given) {
    const auto after = read_cursor(consumer);
    if (after.lease > before.lease && after.moved_only) {
        require(given.searched, "the cursor moved although there was something to hand out");
        model_.move_over_unwanted(consumer);
    }
}

void world::take(const pg::result& rows, int first_column, int row_count, int worker,
                 const handed_out& expected) {
    std::string shown;
    std::string wanted;
    for (int i = 0; i < row_count; ++i) {
        shown += " " + rows.get<std::string>(i, first_column + 1).substr(0, 8);
    }
    for (const int m : expected.members) {
        wanted += " " + nth(model_.messages, m).id.substr(0, 8);
    }
    require(shown == wanted, "claimed" + shown + ", expected" + wanted);
    const int consumer = nth(model_.workers, worker).consumer;
    for (int i = 0; i < row_count; ++i) {
        const int m = nth(expected.members, i);
        nth(model_.messages, m).seq = rows.get<std::int64_t>(i, first_column);
        history_.claimed(model_, consumer, m);
        for (const auto& key : model_.of_lease(expected.lease, m)) {
            history_.started(model_, key);
        }
    }
}

void world::claim(dice& random) {
    const int worker = draw_worker(random);
    if (worker >= 0) {
        claim_up_to(worker, random.percent(40) ? random.between(1, 3) : random.between(1, 20));
    }
}

void world::claim_up_to(int worker, int limit) {
    const auto& who = nth(model_.workers, worker);
    note(fmt::format("claim {} for worker {}", limit, worker));
    const char* sql = "select seq, id, lease_id, lease_token from postrider.claim($1, $2)";
    const pg::params values(who.id, limit);
    if (refused(worker, sql, values)) {
        return;
    }
    const auto before = read_cursor(who.consumer);
    const auto rows = hands_.exec_params(sql, values);
    const auto given = model_.claim(worker, limit, before.at);
    if (given.lease >= 0 && !rows.empty()) {
        model_.leases.back().id = rows.get<std::int64_t>(0, 2);
        model_.leases.back().token = rows.get<std::string>(0, 3);
    }
    take(rows, 0, rows.rows(), worker, given);
    follow_cursor(who.consumer, before, given);
}

void world::exchange(dice& random) {
    const int worker = draw_worker(random);
    if (worker < 0) {
        return;
    }
    int lease = -1;
    for (std::size_t i = 0; i < model_.leases.size(); ++i) {
        if (model_.leases[i].worker == worker && random.percent(60)) {
            lease = static_cast<int>(i);
        }
    }
    exchange_for(worker, random.percent(15) ? 0 : random.between(1, 12), lease,
                 lease < 0 || random.percent(40) ? report{} : draw_report(lease, random));
}

void world::exchange_for(int worker, int limit, int lease, const report& what) {
    const auto& who = nth(model_.workers, worker);
    note(fmt::format("exchange {} for worker {} settling lease {}: {} {}", limit, worker, lease,
                     what.delivered ? seqs(*what.delivered) : "all", failures_json(what.failures)));
    const char* sql =
        "select seq, id, lease_id, lease_token, settled, parked "
        "from postrider.exchange($1, $2, $3, $4, $5, $6)";
    pg::params values(who.id, limit);
    if (lease < 0) {
        values.add_null().add_null().add_null().add_null();
    } else {
        const auto& settled = nth(model_.leases, lease);
        values.add(settled.id).add(settled.token);
        values.add(what.delivered ? std::optional(seqs(*what.delivered)) : std::nullopt);
        values.add(what.failures.empty() ? std::nullopt
                                         : std::optional(failures_json(what.failures)));
    }
    if (refused(worker, sql, values)) {
        return;
    }
    auto before = read_cursor(who.consumer);
    const auto rows = hands_.exec_params(sql, values);
    const auto expected = lease < 0 ? "" : model_.settle(lease, what.delivered, what.failures);
    const int summary = rows.rows() - 1;
    require(rows.text(summary, 4) == expected,
            fmt::format("settled: {}, expected {}", rows.text(summary, 4), expected));
    history_.follow(model_);
    auto at = before.at;
    const auto given = model_.exchange(worker, limit, at);
    require(rows.get<int>(summary, 5) == given.parked,
            fmt::format("parked {}, expected {}", rows.text(summary, 5), given.parked));
    require(rows.is_null(summary, 2) == (given.lease < 0), "a lease without messages was named");
    if (given.lease >= 0) {
        model_.leases.back().id = rows.get<std::int64_t>(summary, 2);
        model_.leases.back().token = rows.get<std::string>(summary, 3);
    }
    take(rows, 0, summary, worker, given);
    follow_cursor(who.consumer, before, given);
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

world::report world::draw_report(int lease, dice& random) const {
    report what;
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
            }
            what.failures.push_back(failed);
        }
    }
    if (random.percent(60)) {
        what.delivered = done;
    }
    return what;
}

void world::settle(dice& random) {
    const int lease = draw_lease(random);
    if (lease < 0) {
        return;
    }
    settle_with(lease, random.percent(30) ? report{} : draw_report(lease, random));
}

void world::settle_with(int lease, const report& what) {
    const auto& held = nth(model_.leases, lease);
    note(fmt::format("settle lease {}: {} {}", lease,
                     what.delivered ? seqs(*what.delivered) : "all", failures_json(what.failures)));
    const char* sql = "select postrider.settle($1, $2, $3, $4, $5)";
    pg::params values(nth(model_.workers, held.worker).id, held.id, held.token);
    values.add(what.delivered ? std::optional(seqs(*what.delivered)) : std::nullopt);
    values.add(what.failures.empty() ? std::nullopt : std::optional(failures_json(what.failures)));
    if (refused(held.worker, sql, values)) {
        return;
    }
    const auto answer = hands_.exec_params(sql, values).get<std::string>(0, 0);
    const auto expected = model_.settle(lease, what.delivered, what.failures);
    require(answer == expected, "settle said " + answer + ", expected " + expected);
}

void world::settle_forged(dice& random) {
    const int lease = draw_lease(random);
    if (lease < 0) {
        return;
    }
    const auto& held = nth(model_.leases, lease);
    note(fmt::format("settle lease {} with another token", lease));
    const char* sql = random.percent(50) ? "select postrider.settle($1, $2, $3)"
                                         : "select settled from postrider.exchange($1, 0, $2, $3)";
    const pg::params values(nth(model_.workers, held.worker).id, held.id, random.uuid());
    if (refused(held.worker, sql, values)) {
        return;
    }
    const auto answer = hands_.exec_params(sql, values).get<std::string>(0, 0);
    require(answer == "lost_lease", "another token was told: " + answer);
}

void world::release(dice& random) {
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
    if (refused(held.worker, sql, values)) {
        return;
    }
    const auto answer = hands_.exec_params(sql, values).get<std::string>(0, 0);
    std::vector<failure> given_back;
    for (const int m : held.members) {
        if (all || which.contains(m)) {
            given_back.push_back({.message = m, .what = outcome::interrupted});
        }
    }
    const auto expected = model_.settle(lease, std::set<int>{}, given_back);
    require(answer == expected, "release said " + answer + ", expected " + expected);
}

// Work that ends in a rollback never happened.
void world::abandon(dice& random) {
    const int worker = draw_worker(random);
    const int lease = draw_lease(random);
    if (worker < 0 || !nth(model_.workers, worker).registered) {
        return;
    }
    note(fmt::format("worker {} claims, settles lease {} and rolls back", worker, lease));
    hands_.exec("begin");
    hands_.exec_params("select from postrider.claim($1, 5)",
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
