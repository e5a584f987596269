// Workers: registration and claims.
#include <fmt/format.h>

#include <algorithm>
#include <postrider/error.hpp>

#include "property/world.hpp"

namespace postrider::test {
namespace {

constexpr int workers_max = 3;  // of one consumer

}  // namespace

void world::register_worker(dice& random) {
    auto& plan = random.pick(plans_);
    const int consumer = model_.find_consumer(plan.name, plan.channel);
    const auto busy = std::ranges::count_if(model_.workers, [&](const worker& each) {
        return each.consumer == consumer && each.registered && each.alive;
    });
    if (busy >= workers_max) {
        return;
    }
    if (random.percent(10)) {
        // The next release wants other types.
        static const std::vector<std::vector<std::string>> others = {
            {"order.*"}, {"order.paid", "note"}, {"user.created"}, {"user.*", "order_paid"}, {"*"}};
        random.pick(plan.handlers).patterns = random.pick(others);
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
    worker the_worker{.id = id};
    std::string json;
    std::string names;
    for (const auto& each : handlers) {
        std::string patterns;
        for (const auto& pattern : each.patterns) {
            patterns += fmt::format("{}\"{}\"", patterns.empty() ? "" : ", ", pattern);
        }
        json += fmt::format(
            R"({}{{"name": "{}", "event_types": [{}], "max_attempts": {}, "max_crashes": {},
                "retry": {{"curve": "fixed", "base_ms": 300000}}}})",
            json.empty() ? "" : ", ", each.name, patterns, each.max_attempts, each.max_crashes);
        the_worker.handlers.insert(each.name);
        names += fmt::format(" {} [{}]", each.name, patterns);
    }
    note(fmt::format("register worker {} of {} on {}{} with{}", model_.workers.size(), plan.name,
                     plan.channel, from_beginning ? " from the beginning" : "", names));
    hands_.exec_params(
        "select postrider.register_worker($1, $2, $3, $4, p_alive_for => '1 day', "
        "p_from_beginning => $5)",
        pg::params(id, plan.name, "[" + json + "]", plan.channel, from_beginning));
    the_worker.consumer = model_.create_consumer(plan.name, plan.channel, from_beginning);
    for (const auto& each : handlers) {
        model_.register_handler(the_worker.consumer, each);
    }
    model_.workers.push_back(the_worker);
}

/// One that lives as a rule.
int world::draw_worker(dice& random) const {
    std::vector<int> living;
    for (int i = 0; i < static_cast<int>(model_.workers.size()); ++i) {
        if (!model_.lost(i)) {
            living.push_back(i);
        }
    }
    if (!living.empty() && random.percent(85)) {
        return random.pick(living);
    }
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
    const auto& the_consumer = nth(model_.consumers, consumer);
    const auto row = admin_.exec_params(
        "select l.id, l.worker_id is null, pg_snapshot_xmax(l.done_snapshot)::text, "
        "pg_snapshot_xmax(l.open_snapshot)::text, l.to_xid >= pg_snapshot_xmax(l.open_snapshot) "
        "from postrider.lease l join postrider.consumer c on c.id = l.consumer_id "
        "where c.name = $1 and c.channel = $2 order by l.id desc limit 1",
        pg::params(the_consumer.name, the_consumer.channel));
    return {
        .lease = row.get<std::int64_t>(0, 0),
        .moved_only = row.get<bool>(0, 1),
        .at_end = row.get<bool>(0, 4),
        .at = {std::stoull(row.get<std::string>(0, 2)), std::stoull(row.get<std::string>(0, 3))}};
}

// Whether the cursor moves over unwanted messages is up to the engine; the model checks that it
// moves over nothing else.
void world::follow_cursor(int consumer, const cursor_row& before, const handed_out& given) {
    const auto after = read_cursor(consumer);
    if (after.lease > before.lease && after.moved_only) {
        require(given.searched, "the cursor moved although there was something to hand out");
        model_.move_over_unwanted(consumer);
    } else if (after.lease > before.lease && after.at_end) {
        require(model_.finish_segment(consumer), "the cursor moved over something wanted");
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
    const auto& the_worker = nth(model_.workers, worker);
    note(fmt::format("claim {} for worker {}", limit, worker));
    const char* sql = "select seq, id, lease_id, lease_token from postrider.claim($1, $2)";
    const pg::params values(the_worker.id, limit);
    if (refused(worker, sql, values)) {
        return;
    }
    const auto before = read_cursor(the_worker.consumer);
    const auto rows = hands_.exec_params(sql, values);
    const auto given = model_.claim(worker, limit, before.at);
    if (given.lease >= 0 && !rows.empty()) {
        model_.leases.back().id = rows.get<std::int64_t>(0, 2);
        model_.leases.back().token = rows.get<std::string>(0, 3);
    }
    take(rows, 0, rows.rows(), worker, given);
    follow_cursor(the_worker.consumer, before, given);
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

void world::exchange_for(int worker, int limit, int lease, const report& sent) {
    const auto& the_worker = nth(model_.workers, worker);
    note(fmt::format("exchange {} for worker {} settling lease {}: {} {}", limit, worker, lease,
                     sent.delivered ? seqs(*sent.delivered) : "all", failures_json(sent.failures)));
    const char* sql =
        "select seq, id, lease_id, lease_token, settled, parked "
        "from postrider.exchange($1, $2, $3, $4, $5, $6)";
    pg::params values(the_worker.id, limit);
    if (lease < 0) {
        values.add_null().add_null().add_null().add_null();
    } else {
        const auto& settled = nth(model_.leases, lease);
        values.add(settled.id).add(settled.token);
        values.add(sent.delivered ? std::optional(seqs(*sent.delivered)) : std::nullopt);
        values.add(sent.failures.empty() ? std::nullopt
                                         : std::optional(failures_json(sent.failures)));
    }
    if (refused(worker, sql, values)) {
        return;
    }
    auto before = read_cursor(the_worker.consumer);
    const auto rows = hands_.exec_params(sql, values);
    const auto expected = lease < 0 ? "" : model_.settle(lease, sent.delivered, sent.failures);
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
    follow_cursor(the_worker.consumer, before, given);
}

}  // namespace postrider::test
