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

namespace {

struct order_key {
    std::string column;
    std::string type;
};

// Rows of a view `t`: select list, condition and sort keys.
struct shown_rows {
    std::string_view view;
    std::string columns;
    std::string_view where;
    std::vector<order_key> keys;
    bool newest_first = false;
};

// One page. values: parameters of the condition.
json_page rows_of(pg::connection& session, const shown_rows& rows, const page_request& page,
                  pg::params values) {
    std::string shown;
    std::string order;
    std::string place;
    std::string after;
    for (std::size_t i = 0; i < rows.keys.size(); ++i) {
        const auto& [column, type] = rows.keys[i];
        const std::string separator = i == 0 ? "" : ", ";
        shown += ", v." + column;
        order += separator + "t." + column + (rows.newest_first ? " desc" : "");
        place += separator + "t." + column;
        if (!page.after.empty()) {
            values.add(key(page, i));
            after += separator + "$" + std::to_string(values.size()) + "::" + type;
        }
    }
    auto sql = "select row_to_json(v)" + shown + " from (select " + rows.columns +
               " from postrider." + std::string(rows.view) + " t where " + std::string(rows.where);
    if (!after.empty()) {
        sql += " and (" + place + (rows.newest_first ? ") < (" : ") > (") + after + ")";
    }
    values.add(page.limit + 1);
    sql += " order by " + order + " limit $" + std::to_string(values.size()) + ") v";
    return page_of(session.exec_params(sql.c_str(), values), page.limit);
}

}  // namespace

json_page consumer_rows(pg::connection& session, const read_access& access,
                        const page_request& page, std::string_view consumer) {
    const auto* const hidden =
        access.workspace ? "{open_leases,leased,pending,failed,behind_since}" : "{}";
    return rows_of(session,
                   {.view = "consumers",
                    .columns = seen_columns(session, "consumers", "{}", true, hidden),
                    .where = "($1 = '' or t.consumer = $1)",
                    .keys = {{"consumer", "text"}, {"channel", "text"}}},
                   page, pg::params(consumer));
}

json_page handler_rows(pg::connection& session, const read_access& access, const page_request& page,
                       std::string_view consumer, std::string_view handler) {
    return rows_of(
        session,
        {.view = "handlers",
         .columns = seen_columns(session, "handlers", "{}", access.error_texts && !access.workspace,
                                 access.workspace ? "{pending,failed,next_due_at}" : "{}"),
         .where = "($1 = '' or t.consumer = $1) and ($2 = '' or t.handler = $2)",
         .keys = {{"consumer", "text"}, {"channel", "text"}, {"handler", "text"}}},
        page, pg::params(consumer, handler));
}

json_page lease_rows(pg::connection& session, const page_request& page, std::string_view consumer) {
    return rows_of(session,
                   {.view = "leases",
                    .columns = seen_columns(session, "leases", "{id}", true),
                    .where = "($1 = '' or t.consumer = $1)",
                    .keys = {{"deadline", "timestamptz"}, {"kind", "text"}, {"id", "bigint"}}},
                   page, pg::params(consumer));
}

json_page worker_rows(pg::connection& session, const page_request& page, std::string_view consumer,
                      bool all) {
    return rows_of(session,
                   {.view = "workers",
                    .columns = seen_columns(session, "workers", "{generation}", true),
                    .where = "($1 = '' or t.consumer = $1) and ($2 or t.alive)",
                    .keys = {{"consumer", "text"}, {"channel", "text"}, {"worker", "uuid"}}},
                   page, pg::params(consumer, all));
}

json_page alert_rows(pg::connection& session, const read_access& access, const page_request& page,
                     bool unsent) {
    return rows_of(
        session,
        {.view = unsent ? "unsent_alerts" : "alerts",
         .columns = seen_columns(session, "alerts", "{alert_id,delivery_id}", access.error_texts),
         .where = "true",
         .keys = {{"alert_id", "bigint"}},
         .newest_first = true},
        page, pg::params());
}

json_page audit_rows(pg::connection& session, const read_access& access, const page_request& page,
                     std::string_view actor, std::string_view action) {
    return rows_of(session,
                   {.view = "audits",
                    .columns = seen_columns(session, "audits", "{audit}", access.before_and_after),
                    .where = "($1 = '' or t.actor = $1) and ($2 = '' or t.action = $2)",
                    .keys = {{"audit", "bigint"}},
                    .newest_first = true},
                   page, pg::params(actor, action));
}

json_page replay_rows(pg::connection& session, const read_access& access, const page_request& page,
                      bool active) {
    pg::params values(active);
    values.add(access.workspace);
    return rows_of(session,
                   {.view = "replays",
                    .columns = seen_columns(session, "replays", "{replay,generation}", true),
                    .where = "(not $1 or t.ended_at is null)"
                             " and ($2::text is null or t.filter ->> 'workspace_id' = $2)",
                    .keys = {{"replay", "bigint"}},
                    .newest_first = true},
                   page, values);
}

json_page replay_item_rows(pg::connection& session, const page_request& page, std::int64_t replay,
                           std::string_view outcome) {
    return rows_of(session,
                   {.view = "replay_items",
                    .columns = seen_columns(session, "replay_items", "{replay,delivery_id}", true),
                    .where = "t.replay = $1 and ($2 = '' or t.outcome = $2)",
                    .keys = {{"number", "int"}}},
                   page, pg::params(replay, outcome));
}

json_page retention_rows(pg::connection& session) {
    return page_of(
        session.exec_params("select row_to_json(v) from postrider.retention_status() v", {}), 1000);
}

json_page unmatched_rows(pg::connection& session) {
    return page_of(session.exec_params("select row_to_json(v) from postrider.unmatched() v", {}),
                   1000);
}

json_page setting_rows(pg::connection& session) {
    return page_of(session.exec_params("select row_to_json(v) from (select name, value, meaning"
                                       " from postrider.setting order by name) v",
                                       {}),
                   1000);
}

}  // namespace postrider::store
