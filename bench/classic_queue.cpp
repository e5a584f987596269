#include "bench/classic_queue.hpp"

#include "store/encode.hpp"

namespace postrider::bench {

void make_classic_table(const fresh_database& database) {
    auto session = database.connect();
    session.exec("create schema classic");
    session.exec(
        "create table classic.message (like postrider.message including defaults including"
        " identity, status text not null default 'pending', attempts int not null default 0,"
        " claimed_at timestamptz, claimed_by uuid, lease_until timestamptz,"
        " delivered_at timestamptz, primary key (seq))");
    session.exec(
        "create index message_pending_idx on classic.message (seq) where status = 'pending'");
}

classic_worker::classic_worker(pg::connection session) : session_(std::move(session)) {
    session_.prepare("claim",
                     "with next as materialized ("
                     " select seq from classic.message where status = 'pending'"
                     " order by seq limit $1 for update skip locked)"
                     " update classic.message m set status = 'in_flight', attempts = attempts + 1,"
                     " claimed_at = clock_timestamp(), claimed_by = $2,"
                     " lease_until = clock_timestamp() + interval '15 minutes'"
                     " from next where m.seq = next.seq"
                     " returning m.seq, m.id, m.event_type, m.event_version, m.occurred_at,"
                     " m.source, m.target, m.workspace_id, m.payload, m.headers,"
                     " m.idempotency_key, m.ordering_key, m.partition_key, m.trace_context,"
                     " m.content_class, m.generation");
    session_.prepare("acknowledge",
                     "update classic.message set status = 'delivered',"
                     " delivered_at = clock_timestamp() where seq = any ($1::bigint[])");
}

int classic_worker::exchange(int limit) {
    if (!held_.empty()) {
        session_.exec_prepared("acknowledge", pg::params(store::array_text(held_)));
    }
    static const auto id = uuid::random();
    pg::params values(limit);
    values.add_binary(id.as_bytes());
    const auto rows = session_.exec_prepared("claim", values, pg::format::binary);
    held_.clear();
    for (int row = 0; row < rows.rows(); ++row) {
        held_.push_back(rows.get<std::int64_t>(row, 0));
    }
    return rows.rows();
}

}  // namespace postrider::bench
