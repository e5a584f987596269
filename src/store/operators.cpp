#include "store/operators.hpp"

namespace postrider::store {

void pause_consumer(pg::connection& session, const consumer_name& which, bool paused,
                    const audit_entry& why) {
    session.exec_params("select postrider.pause_consumer($1, $2, $3, $4, $5)",
                        pg::params(which.consumer, paused, which.channel, why.actor, why.reason));
}

removed_consumer remove_consumer(pg::connection& session, const consumer_name& which, bool owed,
                                 const audit_entry& why) {
    const auto went = session.exec_params(
        "select pending, failed from postrider.remove_consumer($1, $2, $3, $4, $5)",
        pg::params(which.consumer, why.actor, why.reason, which.channel, owed));
    return {went.get<std::int64_t>(0, 0), went.get<std::int64_t>(0, 1)};
}

void transfer_consumer(pg::connection& session, std::string_view consumer, std::string_view role,
                       const audit_entry& why) {
    session.exec_params("select postrider.transfer_consumer($1, $2, $3, $4)",
                        pg::params(consumer, role, why.actor, why.reason));
}

void hold_handler(pg::connection& session, const consumer_name& which, std::string_view handler,
                  const audit_entry& why) {
    session.exec_params("select postrider.hold_handler($1, $2, $3, $4, $5)",
                        pg::params(which.consumer, handler, why.actor, why.reason, which.channel));
}

void release_handler(pg::connection& session, const consumer_name& which, std::string_view handler,
                     const audit_entry& why) {
    session.exec_params("select postrider.release_handler($1, $2, $3, $4, $5)",
                        pg::params(which.consumer, handler, why.actor, why.reason, which.channel));
}

void force_handler(pg::connection& session, const consumer_name& which, std::string_view handler,
                   const audit_entry& why) {
    session.exec_params("select postrider.force_handler($1, $2, $3, $4, $5)",
                        pg::params(which.consumer, handler, why.actor, why.reason, which.channel));
}

listing retention_run(pg::connection& session, int limit, bool dry_run) {
    return list(session, {.rows = "select * from postrider.retention_run($1, $2)",
                          .values = pg::params(limit, dry_run)});
}

listing retention_status(pg::connection& session) {
    return list(session, {.rows = "select * from postrider.retention_status()"});
}

listing consumers(pg::connection& session, std::string_view consumer) {
    return list(session, {.rows = "select * from postrider.consumers"
                                  " where $1 = '' or consumer = $1 order by consumer, channel",
                          .values = pg::params(consumer)});
}

listing handlers(pg::connection& session, std::string_view consumer, std::string_view handler) {
    return list(session, {.rows = "select " + visible_columns(session, "handlers") +
                                  " from postrider.handlers"
                                  " where ($1 = '' or consumer = $1) and ($2 = '' or handler = $2)"
                                  " order by consumer, channel, handler",
                          .for_people = "array_to_string(v.event_types, ', ') as event_type_list",
                          .values = pg::params(consumer, handler)});
}

listing leases(pg::connection& session, std::string_view consumer) {
    return list(session, {.rows = "select * from postrider.leases"
                                  " where $1 = '' or consumer = $1 order by deadline, kind, id",
                          .values = pg::params(consumer)});
}

listing workers(pg::connection& session, std::string_view consumer, bool all) {
    return list(session, {.rows = "select * from postrider.workers"
                                  " where ($1 = '' or consumer = $1) and ($2 or alive)"
                                  " order by consumer, channel, started_at, worker",
                          .for_people = "array_to_string(v.handlers, ', ') as handler_list",
                          .values = pg::params(consumer, all)});
}

listing alerts(pg::connection& session, bool unsent, int limit) {
    return list(session,
                {.rows = "select " + visible_columns(session, "alerts") + " from postrider." +
                         (unsent ? "unsent_alerts" : "alerts") + " order by alert_id desc limit $1",
                 .for_people = "array_to_string(v.unsent, ', ') as unsent_list",
                 .values = pg::params(limit)});
}

listing audits(pg::connection& session, std::string_view actor, int limit) {
    return list(session, {.rows = "select " + visible_columns(session, "audits") +
                                  " from postrider.audits where $1 = '' or actor = $1"
                                  " order by audit desc limit $2",
                          .values = pg::params(actor, limit)});
}

bool is_operator(pg::connection& session) {
    return session
        .exec(
            "select exists (select from pg_catalog.pg_roles"
            " where rolname in ('postrider_operator', 'postrider_owner')"
            " and pg_catalog.pg_has_role(oid, 'usage'))")
        .get<bool>(0, 0);
}

listing stats(pg::connection& session) {
    return list(
        session,
        {.rows =
             "select count(*) as consumers, count(*) filter (where paused) as consumers_paused,"
             " coalesce(sum(workers), 0) as workers,"
             " coalesce(sum(leased), 0)"
             "   + (select count(*) from postrider.leases where kind = 'delivery') as in_flight,"
             " coalesce(sum(pending), 0) as deliveries_pending,"
             " coalesce(sum(failed), 0) as dead_letters,"
             " (select count(*) from postrider.handlers where circuit_state <> 'closed')"
             "   as circuits_not_closed,"
             " (select count(*) from postrider.replays where ended_at is null) as replays_active,"
             " (select count(*) from postrider.unsent_alerts) as alerts_unsent,"
             " (select count(*) from postrider.partitions()) as partitions,"
             " min(behind_since) as behind_since,"
             " coalesce(extract(epoch from clock_timestamp() - min(behind_since)), 0)::float8"
             "   as behind_seconds"
             " from postrider.consumers"});
}

}  // namespace postrider::store
