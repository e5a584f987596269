#include "store/dead_letters.hpp"

#include <postrider/error.hpp>

namespace postrider::store {
namespace {

bool is_number(std::string_view text) {
    return !text.empty() && text.size() < 19 &&
           text.find_first_not_of("0123456789") == std::string_view::npos;
}

// A delivery is a number, a message has a UUID.
std::string condition(std::string_view id) {
    return is_number(id) ? "delivery_id = $1::bigint" : "id = $1::uuid";
}

pg::params parameters(const dead_letter_page& page) {
    pg::params values;
    values.add(page.filter).add(page.limit).add(page.after).add(page.after_delivery);
    return values;
}

}  // namespace

listing dead_page(pg::connection& session, const dead_letter_page& page) {
    return list(session,
                {.rows = "select delivery_id, id, consumer, channel, handler, event_type, source,"
                         " workspace_id, generation, dead_at, attempts, cycle, error_class,"
                         " fingerprint, last_error, first_failed_at, published_at, replay_id"
                         " from postrider.dead_list($1, $2, $3, $4)"
                         " order by dead_at desc, delivery_id",
                 .values = parameters(page)});
}

listing discarded_page(pg::connection& session, const dead_letter_page& page) {
    return list(session, {.rows = "select * from postrider.discarded_page($1, $2, $3, $4)"
                                  " order by dead_at desc, delivery_id",
                          .values = parameters(page)});
}

listing dead_letter_groups(pg::connection& session, std::string_view consumer,
                           std::string_view handler, int limit) {
    return list(session,
                {.rows = "select " + visible_columns(session, "dead_letter_groups") +
                         " from postrider.dead_letter_groups"
                         " where ($1 = '' or consumer = $1) and ($2 = '' or handler = $2)"
                         " order by count desc, last_seen desc, handler, fingerprint limit $3",
                 .values = pg::params(consumer, handler, limit)});
}

listing dead_letters(pg::connection& session, std::string_view id) {
    return list(session,
                {.rows = "select d.*, (select count(*) - 1 from postrider.dead_letters s"
                         " where s.fingerprint = d.fingerprint and s.consumer = d.consumer"
                         " and s.channel = d.channel and s.handler = d.handler) as similar"
                         " from postrider.dead_letters d where d." +
                         condition(id) + " order by d.handler, d.delivery_id",
                 .for_people = "jsonb_pretty(v.payload::jsonb) as payload_lines,"
                               " jsonb_pretty(nullif(v.headers::jsonb, '{}')) as header_lines,"
                               " jsonb_pretty(nullif(v.metadata::jsonb, '{}')) as metadata_lines",
                 .values = pg::params(id)});
}

listing dead_letter_details(pg::connection& session, std::string_view id) {
    return list(session,
                {.rows = "select d.*, (select count(*) - 1 from postrider.dead_letters s"
                         " where s.fingerprint = d.fingerprint and s.consumer = d.consumer"
                         " and s.channel = d.channel and s.handler = d.handler) as similar"
                         " from (select " +
                         visible_columns(session, "dead_letters", "{payload,headers,metadata}") +
                         " from postrider.dead_letters) d where d." + condition(id) +
                         " order by d.handler, d.delivery_id",
                 .values = pg::params(id)});
}

listing cycles_of(pg::connection& session, std::string_view id) {
    return list(
        session,
        {.rows = "select h.* from postrider.dead_letters d"
                 " cross join lateral jsonb_to_recordset(d.failure_history) h(cycle int,"
                 " status text, outcome text, attempts int, crashes int,"
                 " first_failed_at timestamptz, ended_at timestamptz, error_class text,"
                 " last_error text, replayed_at timestamptz, replayed_by text, replay bigint)"
                 " where d.delivery_id = $1::bigint order by h.cycle",
         .values = pg::params(id)});
}

listing deliveries_of(pg::connection& session, std::string_view id) {
    return list(
        session,
        {.rows = "select consumer, handler, status, deleted_at from postrider.outbox where " +
                 condition(id) + " order by consumer, handler",
         .values = pg::params(id)});
}

int discard(pg::connection& session, const dead_filter& filter, const audit_entry& why) {
    return session
        .exec_params("select postrider.discard($1, $2, $3)",
                     pg::params(filter, why.actor, why.reason))
        .get<int>(0, 0);
}

int restore(pg::connection& session, const dead_filter& filter, const audit_entry& why) {
    return session
        .exec_params("select postrider.restore($1, $2, $3)",
                     pg::params(filter, why.actor, why.reason))
        .get<int>(0, 0);
}

std::string edit_and_replay(pg::connection& session, const edit& change, const audit_entry& why) {
    pg::params values;
    values.add(change.delivery)
        .add(change.payload)
        .add(change.headers)
        .add(why.actor)
        .add(why.reason);
    return session
        .exec_params(
            "select postrider.edit_and_replay($1, $2,"
            " (select coalesce(d.headers::jsonb, '{}') || $3::jsonb"
            "  from postrider.dead_letters d where d.delivery_id = $1), $4, $5)",
            values)
        .get<std::string>(0, 0);
}

std::string instant_ago(pg::connection& session, std::string_view text) {
    try {
        return session
            .exec_params(
                "select case when $1 ~ '^ *[0-9.]+ *[a-z]+ *$'"
                " then clock_timestamp() - $1::interval else $1::timestamptz end",
                pg::params(text))
            .get<std::string>(0, 0);
    } catch (const error& problem) {
        if (!problem.sqlstate().starts_with("22")) {
            throw;
        }
        throw usage_error("'" + std::string(text) +
                          "' is not a time: use an instant like 2026-03-01T12:00Z, or an age "
                          "like 90m, 2h or 3d");
    }
}

}  // namespace postrider::store
