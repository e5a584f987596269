#include "store/figures.hpp"

namespace postrider::store {
namespace {

// Only members of pg_read_all_stats see the snapshots of other users' sessions.
constexpr auto xmin_query =
    "select jsonb_build_object('age_xids', coalesce(max(h.age), 0), 'kind', coalesce(max(h.kind), "
    "'none'),"
    " 'holder', coalesce(max(h.holder), ''), 'since', max(h.since),"
    " 'age_s', coalesce(extract(epoch from clock_timestamp() - max(h.since)), 0))"
    " from (select * from ("
    "  select case backend_type when 'walsender' then 'standby' else 'session' end as kind,"
    "   concat_ws(' ', 'pid', pid, nullif(application_name, ''), usename, state) as holder,"
    "   coalesce(xact_start, backend_start) as since,"
    "   greatest(age(backend_xmin), age(backend_xid)) as age"
    "  from pg_catalog.pg_stat_activity"
    "  where pid <> pg_backend_pid() and (datname = current_database() or datname is null)"
    "   and (backend_xmin is not null or backend_xid is not null)"
    "  union all"
    "  select 'prepared', gid, prepared, age(transaction) from pg_catalog.pg_prepared_xacts"
    "  where database = current_database()"
    "  union all"
    "  select 'slot', slot_name, null, greatest(age(xmin), age(catalog_xmin))"
    "  from pg_catalog.pg_replication_slots where xmin is not null or catalog_xmin is not null"
    " ) all_of_them order by age desc limit 1) h";

}  // namespace

figures_sample figures(pg::connection& session, const std::optional<std::string>& counters) {
    pg::params values;
    values.add(counters);
    const auto row = session.exec_params(
        "select f -> 'figures', f -> 'point', f -> 'counters' from postrider.figures($1) f",
        values);
    const auto xmin = session.exec_params(xmin_query, {});
    return {row.get<std::string>(0, 0), row.get<std::string>(0, 1), row.get<std::string>(0, 2),
            xmin.get<std::string>(0, 0)};
}

}  // namespace postrider::store
