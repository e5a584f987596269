#include "store/surface.hpp"

#include <postrider/error.hpp>

#include "base/json.hpp"
#include "store/surface_rows.hpp"

namespace postrider::store {

json_page page_of(const pg::result& rows, int limit) {
    json_page page;
    json_array array;
    const int shown = rows.rows() > limit ? limit : rows.rows();
    for (int row = 0; row < shown; ++row) {
        array.add_raw(rows.text(row, 0));
    }
    if (rows.rows() > limit) {
        for (int key = 1; key < rows.columns(); ++key) {
            page.next.emplace_back(rows.text(limit - 1, key));
        }
    }
    page.rows = array.text();
    return page;
}

std::optional<std::string> key(const page_request& page, std::size_t number) {
    return number < page.after.size() ? std::optional(page.after[number]) : std::nullopt;
}

std::string seen_columns(pg::connection& session, std::string_view view, std::string_view ids,
                         bool all, std::string_view hidden) {
    const auto row = session.exec_params(
        "select string_agg(case when attname = any ($2::text[])"
        "  then format('t.%1$I::text as %1$I', attname) else 't.' || quote_ident(attname) end,"
        "  ', ' order by attnum)"
        " from pg_catalog.pg_attribute"
        " where attrelid = ('postrider.' || $1)::regclass and attnum > 0"
        " and attname <> all ($4::text[])"
        " and has_column_privilege(case when $3 then current_user else 'postrider_viewer' end,"
        "                          attrelid, attnum, 'select')",
        pg::params(view, ids, all, hidden));
    return row.is_null(0, 0) ? "t.*" : row.get<std::string>(0, 0);
}

json_page consumer_rows(pg::connection& session, const looker& who, const page_request& page,
                        std::string_view consumer) {
    pg::params values(consumer, page.limit + 1);
    values.add(key(page, 0)).add(key(page, 1));
    const auto sql =
        "select row_to_json(v), v.consumer, v.channel from (select " +
        seen_columns(session, "consumers", "{}", true,
                     who.workspace ? "{open_leases,leased,pending,failed,behind_since}" : "{}") +
        " from postrider.consumers t where ($1 = '' or t.consumer = $1)"
        " and ($3::text is null or (t.consumer, t.channel) > ($3, $4))"
        " order by t.consumer, t.channel limit $2) v";
    return page_of(session.exec_params(sql.c_str(), values), page.limit);
}

json_page handler_rows(pg::connection& session, const looker& who, const page_request& page,
                       std::string_view consumer, std::string_view handler) {
    pg::params values(consumer, handler, page.limit + 1);
    values.add(key(page, 0)).add(key(page, 1)).add(key(page, 2));
    const auto sql = "select row_to_json(v), v.consumer, v.channel, v.handler from (select " +
                     seen_columns(session, "handlers", "{}", who.error_texts && !who.workspace,
                                  who.workspace ? "{pending,failed,next_due_at}" : "{}") +
                     " from postrider.handlers t where ($1 = '' or t.consumer = $1)"
                     " and ($2 = '' or t.handler = $2)"
                     " and ($4::text is null or (t.consumer, t.channel, t.handler) > ($4, $5, $6))"
                     " order by t.consumer, t.channel, t.handler limit $3) v";
    return page_of(session.exec_params(sql.c_str(), values), page.limit);
}

json_page lease_rows(pg::connection& session, const page_request& page, std::string_view consumer) {
    pg::params values(consumer, page.limit + 1);
    values.add(key(page, 0)).add(key(page, 1)).add(key(page, 2));
    const auto sql =
        "select row_to_json(v), v.deadline, v.kind, v.id from (select " +
        seen_columns(session, "leases", "{id}", true) +
        " from postrider.leases t where ($1 = '' or t.consumer = $1)"
        " and ($3::text is null or (t.deadline, t.kind, t.id) > ($3::timestamptz, $4, $5::bigint))"
        " order by t.deadline, t.kind, t.id limit $2) v";
    return page_of(session.exec_params(sql.c_str(), values), page.limit);
}

json_page worker_rows(pg::connection& session, const page_request& page, std::string_view consumer,
                      bool all) {
    pg::params values(consumer, all, page.limit + 1);
    values.add(key(page, 0)).add(key(page, 1)).add(key(page, 2));
    const auto sql =
        "select row_to_json(v), v.consumer, v.channel, v.worker from (select " +
        seen_columns(session, "workers", "{generation}", true) +
        " from postrider.workers t where ($1 = '' or t.consumer = $1) and ($2 or t.alive)"
        " and ($4::text is null or (t.consumer, t.channel, t.worker) > ($4, $5, $6::uuid))"
        " order by t.consumer, t.channel, t.worker limit $3) v";
    return page_of(session.exec_params(sql.c_str(), values), page.limit);
}

json_page alert_rows(pg::connection& session, const looker& who, const page_request& page,
                     bool unsent) {
    pg::params values(unsent, page.limit + 1);
    values.add(key(page, 0));
    const auto sql = "select row_to_json(v), v.alert_id from (select " +
                     seen_columns(session, "alerts", "{alert_id,delivery_id}", who.error_texts) +
                     " from postrider.alerts t where (not $1 or t.unsent <> '{}')"
                     " and ($3::bigint is null or t.alert_id < $3)"
                     " order by t.alert_id desc limit $2) v";
    return page_of(session.exec_params(sql.c_str(), values), page.limit);
}

json_page audit_rows(pg::connection& session, const looker& who, const page_request& page,
                     std::string_view actor, std::string_view action) {
    pg::params values(actor, action, page.limit + 1);
    values.add(key(page, 0));
    const auto sql = "select row_to_json(v), v.audit from (select " +
                     seen_columns(session, "audits", "{audit}", who.before_and_after) +
                     " from postrider.audits t where ($1 = '' or t.actor = $1)"
                     " and ($2 = '' or t.action = $2) and ($4::bigint is null or t.audit < $4)"
                     " order by t.audit desc limit $3) v";
    return page_of(session.exec_params(sql.c_str(), values), page.limit);
}

json_page replay_rows(pg::connection& session, const looker& who, const page_request& page,
                      bool active) {
    pg::params values(active, page.limit + 1);
    values.add(key(page, 0)).add(who.workspace);
    const auto sql = "select row_to_json(v), v.replay from (select " +
                     seen_columns(session, "replays", "{replay,generation}", true) +
                     " from postrider.replays t where (not $1 or t.ended_at is null)"
                     " and ($3::bigint is null or t.replay < $3)"
                     " and ($4::text is null or t.filter ->> 'workspace_id' = $4)"
                     " order by t.replay desc limit $2) v";
    return page_of(session.exec_params(sql.c_str(), values), page.limit);
}

json_page replay_item_rows(pg::connection& session, const page_request& page, std::int64_t replay,
                           std::string_view outcome) {
    pg::params values(replay, outcome, page.limit + 1);
    values.add(key(page, 0));
    const auto sql = "select row_to_json(v), v.number from (select " +
                     seen_columns(session, "replay_items", "{replay,delivery_id}", true) +
                     " from postrider.replay_items t where t.replay = $1"
                     " and ($2 = '' or t.outcome = $2) and ($4::int is null or t.number > $4)"
                     " order by t.number limit $3) v";
    return page_of(session.exec_params(sql.c_str(), values), page.limit);
}

json_page retention_rows(pg::connection& session) {
    return page_of(
        session.exec_params("select row_to_json(v) from postrider.retention_status() v", {}), 1000);
}

json_page setting_rows(pg::connection& session) {
    return page_of(session.exec_params("select row_to_json(v) from (select name, value, meaning"
                                       " from postrider.setting order by name) v",
                                       {}),
                   1000);
}

}  // namespace postrider::store
