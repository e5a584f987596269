// Claims: of the log, of messages that wait, and of both in turn.
#include <fmt/format.h>

#include "property/world/world.hpp"

namespace postrider::test {

world::cursor_row world::read_cursor(int consumer) {
    const auto& the_consumer = nth(model_.consumers, consumer);
    const auto row = admin_.exec_params(
        "select l.id, l.worker_id is null, pg_snapshot_xmax(l.done_snapshot)::text, "
        "pg_snapshot_xmax(l.open_snapshot)::text, l.to_xid >= pg_snapshot_xmax(l.open_snapshot), "
        "(select max(w.id) from postrider.lease w where w.consumer_id = -c.id) "
        "from postrider.lease l join postrider.consumer c on c.id = l.consumer_id "
        "where c.name = $1 and c.channel = $2 order by l.id desc limit 1",
        pg::params(the_consumer.name, the_consumer.channel));
    return {
        .lease = row.get<std::int64_t>(0, 0),
        .waiting = row.get<std::int64_t>(0, 5),
        .moved_only = row.get<bool>(0, 1),
        .at_end = row.get<bool>(0, 4),
        .at = {std::stoull(row.get<std::string>(0, 2)), std::stoull(row.get<std::string>(0, 3))}};
}

// Whether a cursor moves over unwanted messages is up to the engine; the model checks that it
// moves over nothing else.
void world::follow_cursor(int consumer, const cursor_row& before, const handed_out& result) {
    const auto after = read_cursor(consumer);
    if (after.lease > before.lease && after.moved_only) {
        require(result.searched, "the cursor moved although there was something to hand out");
        model_.move_over_unwanted(consumer);
    } else if (after.lease > before.lease && after.at_end) {
        require(model_.finish_segment(consumer), "the cursor moved over something wanted");
    }
    if (after.waiting > before.waiting) {
        require(model_.note_nothing(consumer), "the cursor moved over something that waits");
    }
}

void world::take(const claim_answer& answer, const handed_out& expected) {
    std::string shown;
    std::string wanted;
    for (const auto& [seq, id] : answer.messages) {
        shown += " " + id.substr(0, 8);
    }
    for (const int m : expected.members) {
        wanted += " " + nth(model_.messages, m).id.substr(0, 8);
    }
    require(shown == wanted, "claimed" + shown + ", expected" + wanted);
    require(answer.parked.value_or(expected.parked) == expected.parked,
            fmt::format("parked {}, expected {}", answer.parked.value_or(0), expected.parked));
    require(answer.lease.has_value() == (expected.lease >= 0),
            "a lease without messages was named");
    if (expected.lease < 0) {
        return;
    }
    auto& lease = nth(model_.leases, expected.lease);
    lease.id = *answer.lease;
    lease.token = answer.token;
    for (std::size_t i = 0; i < expected.members.size(); ++i) {
        const int m = expected.members[i];
        nth(model_.messages, m).seq = answer.messages[i].first;
        if (!lease.waited) {
            history_.claimed(model_, lease.consumer, m);
        }
        for (const auto& key : model_.of_lease(expected.lease, m)) {
            history_.started(model_, key);
        }
    }
}

/// Every tenth small claim of messages that wait goes to one that is overdue, so a claim in turn is
/// not small.
void world::claim(random_source& random) {
    const int worker = draw_worker(random);
    const int limit = random.between(10, 20);
    if (worker < 0) {
        return;
    }
    const auto& the_worker = nth(model_.workers, worker);
    note(fmt::format("claim {} for worker {}", limit, worker));
    const char* sql = "select seq, id, lease_id, lease_token from postrider.claim($1, $2)";
    const pg::params values(the_worker.id, limit);
    if (refused(hands_, worker, sql, values)) {
        return;
    }
    const auto before = read_cursor(the_worker.consumer);
    const auto since = learn_due_times();
    const auto rows = hands_.exec_params(sql, values);
    claim_answer answer;
    for (int i = 0; i < rows.rows(); ++i) {
        answer.messages.emplace_back(rows.get<std::int64_t>(i, 0), rows.get<std::string>(i, 1));
        answer.lease = rows.get<std::int64_t>(i, 2);
        answer.token = rows.get<std::string>(i, 3);
    }
    const auto result = model_.claim(worker, limit, before.at, before.waiting < before.lease,
                                     watch_claim(the_worker.consumer, since));
    take(answer, result);
    follow_cursor(the_worker.consumer, before, result);
}

void world::exchange(random_source& random) {
    const bool in_turn = random.percent(25);
    const int limit = random.percent(15)   ? 0
                      : in_turn            ? random.between(10, 20)
                      : random.percent(50) ? random.between(1, 3)
                                           : random.between(1, 20);
    exchange_from(in_turn ? stream::in_turn : stream::log, draw_worker(random), limit, random);
}

void world::claim_waiting(random_source& random) {
    exchange_from(random.percent(50) ? stream::waiting : stream::waiting_busy, draw_worker(random),
                  random.percent(50) ? random.between(0, 3) : random.between(1, 20), random);
}

void world::exchange_from(stream from, int worker, int limit, random_source& random) {
    int lease = -1;
    for (std::size_t i = 0; i < model_.leases.size(); ++i) {
        if (model_.leases[i].worker == worker && random.percent(60)) {
            lease = static_cast<int>(i);
        }
    }
    if (worker >= 0) {
        exchange_for(from, worker, limit, lease,
                     lease < 0 || random.percent(40) ? report{} : draw_report(lease, random));
    }
}

void world::exchange_for(stream from, int worker, int limit, int lease, const report& sent) {
    static const char* const calls[] = {
        "select settled, parked, lease_id, lease_token, seq, id from postrider.exchange("
        "$1, $2, $3, $4, $5, $6)",
        "select * from postrider.exchange_packed($1, $2, $3, $4, $5, $6)",
        "select * from postrider.exchange_waiting($1, $2, $3, $4, $5, $6)",
        "select * from postrider.exchange_waiting($1, $2, $3, $4, $5, $6, p_idle => false)"};
    static const char* const names[] = {"in turn", "of the log", "of those that wait",
                                        "of those that wait while the log has more"};
    const auto& the_worker = nth(model_.workers, worker);
    note(fmt::format("exchange {} {} for worker {} settling lease {}: {} {}", limit,
                     names[static_cast<int>(from)], worker, lease,
                     sent.delivered ? seqs(*sent.delivered) : "all", failures_json(sent.failures)));
    const char* sql = calls[static_cast<int>(from)];
    auto& session = from == stream::in_turn ? hands_ : programs_;
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
    if (refused(session, worker, sql, values)) {
        return;
    }
    const auto before = read_cursor(the_worker.consumer);
    const auto since = learn_due_times();
    const auto rows = session.exec_params(sql, values);
    const auto answer = from == stream::in_turn ? read_rows(rows) : read_packed(rows);
    const auto expected = lease < 0 ? "" : model_.settle(lease, sent.delivered, sent.failures);
    require(answer.settled == expected,
            fmt::format("settled: {}, expected {}", answer.settled, expected));
    history_.follow(model_);
    const auto seen = watch_claim(the_worker.consumer, since);
    auto at = before.at;
    bool waiting_first = before.waiting < before.lease;
    const auto result = from == stream::log ? model_.exchange(worker, limit, at)
                        : from == stream::in_turn
                            ? model_.exchange_in_turn(worker, limit, at, waiting_first, seen)
                            : model_.exchange_waiting(worker, limit, from == stream::waiting, seen);
    take(answer, result);
    follow_cursor(the_worker.consumer, before, result);
}

}  // namespace postrider::test
