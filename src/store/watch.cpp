#include "store/watch.hpp"

namespace postrider::store {
namespace {

// Formats seconds: 7s, 3m12s, 5h40m, 3d2h.
std::string age(const std::string& seconds) {
    return "case when " + seconds + " is null then null when " + seconds + " < 60 then floor(" +
           seconds + ")::text || 's' when " + seconds + " < 3600 then floor(" + seconds +
           " / 60)::text || 'm' || mod(floor(" + seconds + ")::int, 60) || 's' when " + seconds +
           " < 86400 then floor(" + seconds + " / 3600)::text || 'h' || mod(floor(" + seconds +
           " / 60)::int, 60) || 'm' else floor(" + seconds +
           " / 86400)::text || 'd' || mod(floor(" + seconds + " / 3600)::int, 24) || 'h' end";
}

// Appends "+" to a count that reached its limit.
std::string bounded(const std::string& number, const std::string& capped) {
    return number + "::text || case when " + capped + " then '+' else '' end";
}

// Prefix of an estimated backlog.
constexpr std::string_view estimate_mark = "case when v.backlog_exact then '' else '~' end";

}  // namespace

listing watch_totals(pg::connection& session) {
    return list(
        session,
        {.rows =
             "with pace as materialized (select * from postrider.pace()),"
             " seen as materialized (select * from jsonb_to_record("
             "   postrider.figures() #> '{figures,totals}') t(backlog bigint, backlog_exact bool,"
             "   in_flight bigint, deliveries_pending bigint, dead_letters bigint, workers bigint,"
             "   circuits_not_closed bigint))"
             " select clock_timestamp() as at, current_database() as database,"
             " (select coalesce(sum(published), 0) from (select max(published / seconds) as "
             "published"
             "    from pace group by channel) c)::float8 as published_per_s,"
             " (select coalesce(bool_or(published >= 20000), false) from pace) as published_capped,"
             " (select coalesce(sum(taken / seconds), 0) from pace)::float8 as taken_per_s,"
             " (select coalesce(bool_or(taken >= 20000), false) from pace) as taken_capped,"
             " s.backlog, s.backlog_exact, s.in_flight, s.deliveries_pending as pending,"
             " s.dead_letters,"
             " (select count(*) from (select from postrider.dead_letters"
             "    where dead_at > clock_timestamp() - interval '1 minute' limit 10000) d)"
             "   as died_in_a_minute,"
             " s.workers, s.circuits_not_closed,"
             " (select count(*) from postrider.replays where phase in ('canary', 'running'))"
             "   as replays_running from seen s",
         .for_people = bounded("round(v.published_per_s::numeric, 1)", "v.published_capped") +
                       " as published_rate, " +
                       bounded("round(v.taken_per_s::numeric, 1)", "v.taken_capped") +
                       " as taken_rate, " + std::string(estimate_mark) + " as backlog_mark"});
}

listing watch_consumers(pg::connection& session) {
    return list(
        session,
        {.rows =
             "select c.consumer, c.channel, c.workers, p.taken / p.seconds as taken_per_s,"
             " p.taken >= 20000 as taken_capped, c.backlog, c.backlog_exact,"
             " extract(epoch from clock_timestamp() - c.behind_since)::float8 as oldest_seconds,"
             " c.in_flight, c.pending, c.failed as dead_letters,"
             " case when c.paused then 'paused' when c.held then 'held'"
             "   when c.workers = 0 then 'no workers' when c.held_handlers <> '{}' then 'partly "
             "held'"
             "   else 'working' end as state"
             " from jsonb_to_recordset(postrider.figures() #> '{figures,consumers}') c(consumer "
             "text,"
             "   channel text, paused bool, held bool, held_handlers text[], workers bigint,"
             "   backlog bigint, backlog_exact bool, behind_since timestamptz, in_flight bigint,"
             "   pending bigint, failed bigint)"
             " join postrider.pace() p using (consumer, channel)"
             " order by c.behind_since, c.consumer, c.channel",
         .for_people = bounded("round(v.taken_per_s::numeric, 1)", "v.taken_capped") +
                       " as rate, " + std::string(estimate_mark) +
                       " || v.backlog as backlog_text, " + age("v.oldest_seconds") + " as oldest"});
}

listing watch_trouble(pg::connection& session, int limit) {
    return list(
        session,
        {.rows = "select h.consumer, h.channel, h.handler, h.circuit_state, h.circuit_mode,"
                 " h.failures_in_a_row, h.workers, h.pending, h.failed as dead_letters,"
                 " extract(epoch from clock_timestamp() - h.opened_at)::float8 as open_seconds,"
                 " h.circuit_error_class as error_class"
                 " from postrider.handlers h"
                 " where h.circuit_state <> 'closed' or h.failures_in_a_row > 0 or h.failed > 0"
                 "   or (h.workers = 0 and h.pending > 0)"
                 " order by h.circuit_state = 'closed', h.failed desc, h.failures_in_a_row desc,"
                 "   h.consumer, h.handler limit $1",
         .for_people = "case when v.circuit_mode = 'held' then 'held' else v.circuit_state end"
                       "   as circuit_text, " +
                       age("v.open_seconds") + " as open_for",
         .values = pg::params(limit)});
}

listing watch_workers(pg::connection& session, int limit) {
    return list(
        session,
        {.rows = "select worker, consumer, channel, generation, host, version,"
                 " leased + deliveries as in_flight,"
                 " extract(epoch from clock_timestamp() - started_at)::float8 as up_seconds"
                 " from postrider.workers where alive"
                 " order by consumer, channel, started_at, worker limit $1",
         .for_people = age("v.up_seconds") + " as up_for, left(v.worker::text, 8) as short_worker",
         .values = pg::params(limit)});
}

listing watch_replays(pg::connection& session, int limit) {
    return list(
        session,
        {.rows = "select replay, phase, total, delivered, failed, skipped, waiting, moved, actor,"
                 " reason from postrider.replays"
                 " where phase in ('proposed', 'canary', 'running', 'paused')"
                 " order by replay limit $1",
         .values = pg::params(limit)});
}

}  // namespace postrider::store
