#include <postrider/error.hpp>

#include "base/json.hpp"
#include "store/surface_rows.hpp"

namespace postrider::store {
namespace {

constexpr auto delivery_columns =
    "t.delivery_id::text as delivery_id, t.id, t.consumer, t.channel, t.handler, t.event_type,"
    " t.source, t.workspace_id, t.generation::text as generation, t.status, t.attempts,"
    " t.attempts_total, t.failures, t.crashes, t.interruptions, t.cycle, t.max_attempts,"
    " t.available_at, t.claimed_at, t.worker_id, t.deadline, t.first_failed_at, t.error_class,"
    " t.fingerprint, t.dead_at, t.delivered_at, t.deleted_at, t.published_at";

// Earlier cycles, from the failure history of `t`.
std::string cycles(const read_access& access) {
    return std::string(
               "(select coalesce(json_agg(json_build_object('cycle', h.cycle, 'status', h.status,"
               " 'outcome', h.outcome, 'attempts', h.attempts, 'crashes', h.crashes,"
               " 'first_failed_at', h.first_failed_at, 'ended_at', h.ended_at,"
               " 'error_class', h.error_class, 'replayed_at', h.replayed_at,"
               " 'replayed_by', h.replayed_by, 'replay', h.replay::text") +
           (access.error_texts ? ", 'last_error', h.last_error" : "") +
           ") order by h.cycle), '[]')"
           " from jsonb_to_recordset(t.failure_history) h(cycle int, status text, outcome text,"
           " attempts int, crashes int, first_failed_at timestamptz, ended_at timestamptz,"
           " error_class text, last_error text, replayed_at timestamptz, replayed_by text,"
           " replay bigint)) as cycles";
}

std::string deliveries(const read_access& access) {
    return delivery_columns + std::string(access.error_texts ? ", t.last_error" : "");
}

// Rows scanned per request by a search without an index: some tens of milliseconds.
constexpr int dead_letters_reach = 20000;
constexpr int preview_reach = 10000;
constexpr int messages_reach = 50000;

// When the search stopped early and the page is not full, the next page continues from there.
json_page up_to(json_page page, const pg::result& place, std::optional<std::string> instant) {
    if (page.next.empty() && !place.is_null(0, 0)) {
        page.next = {std::string(place.text(0, 0)), std::string(place.text(0, 1))};
        page.searched_to = std::move(instant);
    }
    return page;
}

pg::params dead_values(const page_request& page, const dead_filter& filter) {
    pg::params values(filter, page.limit + 1);
    return values.add(key(page, 0)).add(key(page, 1));
}

[[noreturn]] void not_found(const std::string& subject) {
    throw error(errc::message_not_found, "not found: " + subject);
}

}  // namespace

json_page dead_rows(pg::connection& session, const read_access& access, const page_request& page,
                    const dead_filter& filter) {
    pg::params from(filter, dead_letters_reach);
    from.add(key(page, 0)).add(key(page, 1));
    const auto place = session.exec_params(
        "select dead_at, delivery_id, to_json(dead_at) #>> '{}'"
        " from postrider.dead_reach($1, $2, $3, $4)",
        from);
    const auto sql = std::string(
                         "select row_to_json(v), v.dead_at, v.delivery_id from ("
                         "select t.delivery_id::text as delivery_id, t.id, t.consumer, t.channel,"
                         " t.handler, t.event_type, t.source, t.workspace_id,"
                         " t.generation::text as generation, t.dead_at, t.attempts, t.cycle,"
                         " t.error_class, t.fingerprint") +
                     (access.error_texts ? ", left(t.last_error, 500) as last_error" : "") +
                     ", t.first_failed_at, t.published_at, t.replay_id::text as replay_id"
                     " from postrider.dead_page($1, $2, $3, $4, $5, $6) t"
                     " order by t.dead_at desc, t.delivery_id) v";
    auto values = dead_values(page, filter);
    values.add(place.get<std::optional<std::string>>(0, 0))
        .add(place.get<std::optional<std::string>>(0, 1));
    return up_to(page_of(session.exec_params(sql.c_str(), values), page.limit), place,
                 place.get<std::optional<std::string>>(0, 2));
}

json_page discarded_rows(pg::connection& session, const read_access& access,
                         const page_request& page, const dead_filter& filter) {
    const auto sql =
        std::string(
            "select row_to_json(v), v.dead_at, v.delivery_id from ("
            "select t.delivery_id::text as delivery_id, t.id, t.consumer, t.channel, t.handler,"
            " t.event_type, t.source, t.workspace_id, t.generation::text as generation,"
            " t.dead_at, t.attempts, t.cycle, t.error_class, t.fingerprint, t.deleted_at,"
            " t.successor") +
        (access.error_texts ? ", left(t.last_error, 500) as last_error, t.deleted_reason" : "") +
        " from postrider.discarded_page($1, $2, $3, $4) t"
        " order by t.dead_at desc, t.delivery_id) v";
    return page_of(session.exec_params(sql.c_str(), dead_values(page, filter)), page.limit);
}

json_page dead_group_rows(pg::connection& session, const read_access& access,
                          const page_request& page, std::string_view consumer,
                          std::string_view handler) {
    pg::params values(consumer, handler, page.limit + 1, key(page, 0).value_or("0"));
    values.add(access.workspace);
    const auto sql =
        std::string(
            "select row_to_json(v), $4::int + $3::int - 1 from (select t.consumer, t.channel,"
            " t.handler, t.fingerprint, t.error_class, t.count, t.event_type, t.first_seen,"
            " t.last_seen, t.sample_delivery_id::text as sample_delivery_id, t.sample_id,"
            " t.buckets, t.bucket_s") +
        (access.error_texts ? ", left(t.sample_error, 500) as sample_error" : "") +
        " from postrider.dead_groups(nullif($1, ''), nullif($2, ''), $5, $3, $4) t) v";
    return page_of(session.exec_params(sql.c_str(), values), page.limit);
}

json_page message_rows(pg::connection& session, const page_request& page,
                       const std::string& filter) {
    pg::params values(filter, page.limit + 1);
    values.add(key(page, 0)).add(key(page, 1)).add(messages_reach);
    auto found = page_of(
        session.exec_params(
            "select row_to_json(v), t.xid, t.seq from postrider.message_page($1, $2, $3, $4, $5) t"
            " cross join lateral (select t.id, t.channel, t.event_type, t.event_version,"
            " t.occurred_at, t.source, t.target, t.content_class, t.generation::text as generation,"
            " t.workspace_id, t.idempotency_key, t.ordering_key, t.partition_key, t.trace_context,"
            " t.priority, t.seq::text as seq, t.published_at) v",
            values),
        page.limit);
    if (!found.next.empty()) {
        return found;
    }
    pg::params from(filter, messages_reach);
    from.add(key(page, 0)).add(key(page, 1));
    const auto place = session.exec_params(
        "select xid, seq, to_json(published_at) #>> '{}'"
        " from postrider.message_reach($1, $2, $3, $4)",
        from);
    return up_to(std::move(found), place, place.get<std::optional<std::string>>(0, 2));
}

json_page delivery_rows(pg::connection& session, const read_access& access,
                        const page_request& page, std::string_view consumer,
                        std::string_view handler, std::string_view status) {
    pg::params values(consumer, handler, status, page.limit + 1);
    values.add(key(page, 0)).add(access.workspace);
    const auto sql =
        "select row_to_json(v), t.place, t.delivery_id is null"
        " from postrider.delivery_page("
        "  $3, nullif($1, ''), nullif($2, ''), $6, $4, $5::jsonb) t"
        " cross join lateral (select " +
        deliveries(access) + ") v order by t.number";
    const auto rows = session.exec_params(sql.c_str(), values);
    json_page found;
    json_array array;
    for (int row = 0; row < rows.rows(); ++row) {
        const bool stopped = rows.get<bool>(row, 2);
        if (!stopped && row < page.limit) {
            array.add_raw(rows.text(row, 0));
        }
        if (stopped || row == page.limit) {
            found.next = {std::string(rows.text(stopped ? row : row - 1, 1))};
        }
    }
    found.rows = array.text();
    return found;
}

std::string message_json(pg::connection& session, const read_access& access,
                         const std::string& id) {
    pg::params values(id);
    values.add(access.workspace);
    const auto sql =
        "with d as materialized (select t.* from postrider.outbox t"
        "  where t.id = $1::uuid and ($2::uuid is null or t.workspace_id = $2))"
        " select json_build_object('message', m.message, 'deliveries', (select"
        "  coalesce(json_agg(v order by v.consumer, v.handler, v.delivery_id), '[]') from "
        "(select " +
        deliveries(access) + ", " + cycles(access) +
        " from d t) v)) from ("
        "  select row_to_json(x) as message from (select t.id, t.channel, t.event_type,"
        "   t.event_version, t.occurred_at, t.source, t.target, t.content_class,"
        "   t.generation::text as generation, t.workspace_id, t.idempotency_key, t.ordering_key,"
        "   t.partition_key, t.trace_context, t.priority, t.seq::text as seq, t.published_at"
        "   from (select d.id, d.channel, d.event_type, d.event_version, d.occurred_at, d.source,"
        "     d.target, d.content_class, d.generation, d.workspace_id, d.idempotency_key,"
        "     d.ordering_key, d.partition_key, d.trace_context, d.priority, d.seq, d.published_at"
        "    from d union all select p.id, p.channel, p.event_type, p.event_version, p.occurred_at,"
        "     p.source, p.target, p.content_class, p.generation, p.workspace_id, p.idempotency_key,"
        "     p.ordering_key, p.partition_key, p.trace_context, p.priority, p.seq, p.published_at"
        "    from postrider.message_page(jsonb_build_object('id', $1::uuid)) p"
        "    where $2::uuid is null or p.workspace_id = $2) t limit 1) x) m";
    const auto row = session.exec_params(sql.c_str(), values);
    if (row.empty()) {
        not_found("message " + id);
    }
    return row.get<std::string>(0, 0);
}

std::string dead_letter_json(pg::connection& session, const read_access& access,
                             std::int64_t delivery) {
    pg::params values(delivery);
    values.add(access.workspace);
    const auto sql =
        "select row_to_json(v) from (select " +
        seen_columns(session, "dead_letters", "{delivery_id,generation,seq,replay_id}",
                     access.error_texts, "{payload,headers,metadata,failure_history}") +
        ", " + cycles(access) +
        ", (select count(*) - 1 from (select from postrider.dead_letters s"
        "   where s.fingerprint = t.fingerprint and s.consumer = t.consumer"
        "   and s.channel = t.channel and s.handler = t.handler"
        "   and ($2::uuid is null or s.workspace_id = $2) limit 10001) s) as similar"
        " from postrider.dead_letters t"
        " where t.delivery_id = $1 and ($2::uuid is null or t.workspace_id = $2)) v";
    const auto row = session.exec_params(sql.c_str(), values);
    if (row.empty()) {
        not_found("dead letter " + std::to_string(delivery) +
                  "; it may have been replayed or discarded meanwhile");
    }
    return row.get<std::string>(0, 0);
}

std::string replay_json(pg::connection& session, const read_access& access, std::int64_t replay) {
    pg::params values(replay);
    values.add(access.workspace);
    // Left out of the view columns: replay_status() counts them once.
    constexpr auto counted = "{waiting,moved,delivered,failed,skipped,cancelled}";
    const auto sql = "select row_to_json(v) from (select " +
                     seen_columns(session, "replays", "{replay,generation}", true, counted) +
                     ", s.waiting, s.moved, s.delivered, s.failed, s.skipped, s.cancelled,"
                     " s.summary from postrider.replays t"
                     " cross join lateral postrider.replay_status(t.replay) s where t.replay = $1"
                     " and ($2::text is null or t.filter ->> 'workspace_id' = $2)) v";
    const auto row = session.exec_params(sql.c_str(), values);
    if (row.empty()) {
        not_found("replay " + std::to_string(replay));
    }
    return row.get<std::string>(0, 0);
}

void require_replay(pg::connection& session, const read_access& access, std::int64_t replay) {
    pg::params values(replay);
    values.add(access.workspace);
    if (session
            .exec_params("select from postrider.replays t where t.replay = $1"
                         " and ($2::text is null or t.filter ->> 'workspace_id' = $2)",
                         values)
            .empty()) {
        not_found("replay " + std::to_string(replay));
    }
}

std::string preview_json(pg::connection& session, const dead_filter& filter, bool all) {
    pg::params values(filter);
    values.add(all ? std::nullopt : std::optional(preview_reach));
    return session
        .exec_params(
            "select p || jsonb_build_object('samples', (select coalesce(jsonb_agg("
            "  s || jsonb_build_object('delivery', s ->> 'delivery') order by n), '[]')"
            "  from jsonb_array_elements(p -> 'samples') with ordinality x(s, n)))"
            " from postrider.replay_preview($1, 10, $2) p",
            values)
        .get<std::string>(0, 0);
}

std::string reveal(pg::connection& session, const read_access& access,
                   const std::optional<std::string>& message,
                   const std::optional<std::int64_t>& delivery, const audit_entry& why) {
    pg::params values;
    values.add(message).add(delivery).add(access.workspace).add(why.actor).add(why.reason);
    return session.exec_params("select postrider.reveal($1, $2, $3, $4, $5)", values)
        .get<std::string>(0, 0);
}

std::string edit_with(pg::connection& session, std::int64_t delivery, std::string_view change,
                      const audit_entry& why) {
    return session
        .exec_params(
            "select postrider.edit_and_replay($1, $2::jsonb -> 'payload',"
            " (select coalesce(nullif(d.headers, 'null'), '{}') || nullif($2::jsonb -> 'headers', "
            "'null')"
            "  from postrider.dead_letters d where d.delivery_id = $1), $3, $4)",
            pg::params(delivery, change, why.actor, why.reason))
        .get<std::string>(0, 0);
}

}  // namespace postrider::store
