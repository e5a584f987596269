#include "bench/engine/classic_queue.hpp"

#include <fmt/format.h>

#include "base/encoding/uuid.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {

void make_classic_table(const fresh_database& database) {
    auto session = database.connect();
    session.exec("create schema classic");
    session.exec(
        "create table classic.message (like postrider.message including defaults including"
        " identity, status text not null default 'pending', attempts int not null default 0,"
        " due_at timestamptz not null default postrider.insertion_time(), claimed_at timestamptz,"
        " worker_id uuid, deadline timestamptz,"
        " delivered_at timestamptz, primary key (id))");
    take_anything(session, classic_table);
    // The index must not contain messages that are due later.
    session.exec(
        "create index message_due_idx on classic.message (due_at, seq)"
        " where status = 'pending'");
}

classic_worker::classic_worker(pg::connection session, classic_order order)
    : session_(std::move(session)) {
    const auto claim = fmt::format(
        "with next as materialized ("
        " select id from classic.message"
        " where status = 'pending' and due_at <= now()"
        " order by {} due_at, seq limit $1 for update skip locked)"
        " update classic.message m set status = 'in_flight', attempts = attempts + 1,"
        " claimed_at = clock_timestamp(), worker_id = $2,"
        " deadline = clock_timestamp() + interval '15 minutes'"
        " from next where m.id = next.id"
        " returning m.seq, m.id, m.event_type, m.event_version, m.occurred_at,"
        " m.source, m.target, m.workspace_id, m.payload, m.headers,"
        " m.idempotency_key, m.ordering_key, m.partition_key, m.trace_context,"
        " m.content_class, m.generation, m.attempts",
        order == classic_order::priority ? "priority desc," : "");
    session_.prepare("claim", claim.c_str());
    session_.prepare("acknowledge",
                     "update classic.message set status = 'delivered',"
                     " delivered_at = clock_timestamp() where id = any ($1::uuid[])");
    session_.prepare("fail",
                     "update classic.message set status = 'pending', due_at = clock_timestamp(),"
                     " worker_id = null, deadline = null where id = any ($1::uuid[])");
}

int classic_worker::exchange(int limit) {
    report("acknowledge", held_);
    report("acknowledge", first_held_);
    return claim(limit);
}

int classic_worker::exchange_failing_once(int limit) {
    report("acknowledge", held_);
    report("fail", first_held_);
    return claim(limit);
}

void classic_worker::report(const char* statement, const std::vector<std::string>& ids) {
    if (!ids.empty()) {
        session_.exec_prepared(statement, pg::params(fmt::format("{{{}}}", fmt::join(ids, ","))));
    }
}

int classic_worker::claim(int limit) {
    static const auto id = uuid::random();
    pg::params values(limit);
    values.add_binary(id.as_bytes());
    rows_ = session_.exec_prepared("claim", values, pg::format::binary);
    held_.clear();
    first_held_.clear();
    for (int row = 0; row < rows_.rows(); ++row) {
        auto& held = rows_.get<int>(row, 16) == 1 ? first_held_ : held_;
        held.push_back(uuid::from_bytes(rows_.text(row, 1)).text());
    }
    return rows_.rows();
}

}  // namespace postrider::bench
