#include "chaos/record/dump.hpp"

namespace postrider::chaos {
namespace {

// Every column but at_us becomes a field; null ones are left out.
void write_rows(const pg::result& rows, const char* kind, history& to) {
    for (int row = 0; row < rows.rows(); ++row) {
        record made{.at = 1, .kind = kind};
        for (int column = 0; column < rows.columns(); ++column) {
            if (rows.is_null(row, column)) {
                continue;
            }
            if (rows.column_name(column) == "at_us") {
                made.at = rows.get<std::int64_t>(row, column);
            } else {
                made.add(rows.column_name(column), rows.text(row, column));
            }
        }
        to.write(made);
    }
}

constexpr const char* published =
    "select floor(extract(epoch from p.at) * 1000000)::bigint as at_us, p.seq, p.id, p.channel,"
    " p.event_type as type, floor(extract(epoch from p.available_at) * 1000000)::bigint as"
    " available_at, p.account, p.version, (m.seq is not null)::int as in_log"
    " from chaos.published p left join postrider.message m on m.seq = p.seq";

constexpr const char* leases_claimed =
    "select floor(extract(epoch from j.at) * 1000000)::bigint as at_us, j.process, j.lease,"
    " c.name as consumer, c.channel, j.after ->> 'token' as token, j.after ->> 'worker' as worker,"
    " (select string_agg(m, ',') from jsonb_array_elements_text(j.after -> 'members') m) as members"
    " from chaos.journal j join postrider.consumer c on c.id = j.consumer"
    " where j.kind = 'lease_claimed' order by j.number";

constexpr const char* leases_changed =
    "select floor(extract(epoch from j.at) * 1000000)::bigint as at_us, j.process, j.lease,"
    " c.name as consumer, c.channel, (j.before ->> 'reaped')::boolean::int as was_reaped,"
    " (j.after ->> 'reaped')::boolean::int as reaped,"
    " (select string_agg(m, ',') from jsonb_array_elements_text(j.after -> 'removed') m) as removed"
    " from chaos.journal j join postrider.consumer c on c.id = j.consumer"
    " where j.kind = 'lease_changed' order by j.number";

constexpr const char* deliveries =
    "select floor(extract(epoch from j.at) * 1000000)::bigint as at_us, j.process, j.delivery,"
    " c.name as consumer, coalesce(j.after, j.before) ->> 'message' as message,"
    " coalesce(j.after, j.before) ->> 'handler' as handler, coalesce(j.after, j.before) ->> 'seq' "
    "as seq,"
    " coalesce(j.before ->> 'status', 'none') as \"from\", coalesce(j.after ->> 'status', 'none') "
    "as \"to\","
    " j.before ->> 'attempts' as attempts_before, j.after ->> 'attempts' as attempts,"
    " j.before ->> 'crashes' as crashes_before, j.after ->> 'crashes' as crashes,"
    " j.after ->> 'interruptions' as interruptions,"
    " (j.before ->> 'suspect')::boolean::int as suspect_before,"
    " j.before ->> 'cycle' as cycle_before, j.after ->> 'cycle' as cycle,"
    " j.after ->> 'max_attempts' as max_attempts, j.after ->> 'max_crashes' as max_crashes,"
    " j.after ->> 'worker' as worker, j.after ->> 'token' as token, j.after ->> 'outcome' as "
    "outcome,"
    " j.after ->> 'error_class' as error_class,"
    " j.before ->> 'key' as key_before, j.after ->> 'key' as key,"
    " j.before ->> 'payload' as payload_before, j.after ->> 'payload' as payload,"
    " j.before ->> 'history' as history_before, j.after ->> 'history' as history,"
    " j.before ->> 'available_at' as available_before, j.after ->> 'available_at' as available_at"
    " from chaos.journal j join postrider.consumer c on c.id = j.consumer"
    " where j.kind = 'delivery' order by j.number";

}  // namespace

void dump_database(pg::connection& from, history& to) {
    write_rows(from.exec(published), "published", to);
    write_rows(from.exec(leases_claimed), "lease_claimed", to);
    write_rows(from.exec(leases_changed), "lease_changed", to);
    write_rows(from.exec(deliveries), "delivery", to);
    write_rows(from.exec("select id, consumer, handler, status, cycle, delivery_id as delivery,"
                         " (deleted_at is not null)::int as deleted from postrider.outbox"),
               "outbox", to);
    write_rows(from.exec("select consumer, handler, key, count(*) as times from chaos.effect"
                         " group by 1, 2, 3"),
               "effect_committed", to);
    write_rows(from.exec("select consumer_name as consumer, handler_name as handler,"
                         " idempotency_key as key from postrider.event_handled"),
               "handled", to);
    write_rows(from.exec("select delivery_id as delivery, cycle, count(*) as times"
                         " from postrider.alert where kind = 'dead_letter' group by 1, 2"),
               "alert", to);
}

}  // namespace postrider::chaos
