#include "worker/sources/pgmq_session.hpp"

#include <chrono>
#include <string_view>

namespace postrider {
namespace {

// Producers of the queue decide how large messages are. These are bytes of text: as jsonb, a number
// like 1e130900 is short.
constexpr std::int64_t bytes_at_once = 64 << 20;
constexpr std::int64_t bytes_max = 128 << 20;

// The text of a message is made twice, once to measure it, so that no large one is kept. "offset 0"
// keeps the planner from measuring once for each use of the size.
std::string read_messages(const std::string& from, bool has_headers) {
    const std::string headers = has_headers ? "r.headers" : "null::jsonb";
    return "select m.msg_id, m.read_ct,"
           " extract(epoch from greatest(least(m.enqueued_at, now()), 'epoch')) * 1000000,"
           " case m.how when 'now' then m.message end,"
           " case when m.how = 'now' and jsonb_typeof(m.headers) = 'object' then m.headers end,"
           " m.how"
           " from (select s.*, case when s.bytes > $2 then 'never'"
           " when sum(s.bytes) filter (where s.bytes <= $2) over (order by s.ordinality) = s.bytes"
           " or sum(s.bytes) filter (where s.bytes <= $2) over (order by s.ordinality) <= $1"
           " then 'now' else 'later' end as how"
           " from (select r.msg_id, r.read_ct, r.enqueued_at, r.message, r.ordinality, "
           "coalesce(octet_length(r.message::text), 0)::bigint"
           " + coalesce(octet_length((" +
           headers + ")::text), 0) as bytes, " + headers + " as headers from " + from +
           " r offset 0) s) m order by m.ordinality";
}

std::string array_of(std::span<const std::string> ids) {
    std::string all = "{";
    for (const auto& one : ids) {
        all += (all.size() > 1 ? "," : "") + one;
    }
    return all + "}";
}

}  // namespace

pg::connection& pgmq_session::session() {
    if (!session_ || !session_->alive()) {
        session_.reset();
        session_.emplace(how_.database);
        // A deletion that a crash of the server loses makes the message visible again. The
        // search_path excludes functions of other users.
        session_->exec("set synchronous_commit = off; set search_path = pg_catalog, pg_temp");
        // Since version 1.5.
        has_headers_ = session_
                           ->exec(
                               "select from pg_attribute where attname = 'headers'"
                               " and attrelid = to_regclass('pgmq.message_record')")
                           .rows() > 0;
    }
    return *session_;
}

pg::result pgmq_session::read(int limit) {
    auto& queue = session();
    const auto messages = read_messages("pgmq.read($3, $4, $5) with ordinality", has_headers_);
    return queue.exec_params(messages.c_str(),
                             pg::params(bytes_at_once, bytes_max, how_.queue, visibility(), limit));
}

bool pgmq_session::is_of_a_message(const error& problem) {
    // Its text exceeds a limit of PostgreSQL, 1 GB for example. Locks without a place in shared
    // memory are "out of memory", too.
    return problem.sqlstate().starts_with("54") ||
           (problem.sqlstate() == "53200" &&
            std::string_view(problem.what()).find("shared memory") == std::string_view::npos);
}

std::vector<std::string> pgmq_session::hide_uncountable(std::int64_t for_seconds) {
    const auto hide = "update pgmq.q_" + how_.queue +
                      " set vt = clock_timestamp() + $1::bigint * interval '1 second'"
                      " where read_ct = 2147483647 and vt <= clock_timestamp() returning msg_id";
    const auto hidden = session().exec_params(hide.c_str(), pg::params(for_seconds));
    std::vector<std::string> ids;
    for (int row = 0; row < hidden.rows(); ++row) {
        ids.emplace_back(hidden.text(row, 0));
    }
    return ids;
}

std::optional<std::string> pgmq_session::take() {
    const auto taken = session().exec_params("select msg_id from pgmq.read($1, $2, 1)",
                                             pg::params(how_.queue, visibility()));
    return taken.rows() == 0 ? std::nullopt : std::optional(std::string(taken.text(0, 0)));
}

pg::result pgmq_session::read_one(const std::string& id) {
    auto& queue = session();
    const auto message = read_messages("(select q.*, 1 as ordinality from pgmq.q_" + how_.queue +
                                           " q where q.msg_id = $3::bigint)",
                                       has_headers_);
    return queue.exec_params(message.c_str(), pg::params(bytes_at_once, bytes_max, id));
}

void pgmq_session::remove(std::span<const std::string> ids) {
    session().exec_params("select pgmq.delete($1, $2::bigint[])",
                          pg::params(how_.queue, array_of(ids)));
}

void pgmq_session::hide(std::span<const std::string> ids, std::int64_t for_seconds) {
    // Without columns: set_vt() returns the whole message.
    session().exec_params(
        "select from unnest($2::bigint[]) n(i) cross join pgmq.set_vt($1::text, n.i, $3::int)",
        pg::params(how_.queue, array_of(ids), for_seconds));
}

// The read count too: a message that was read before counts as one that a lost worker had.
void pgmq_session::leave(std::span<const std::string> ids) {
    const auto unread = "update pgmq.q_" + how_.queue +
                        " set vt = clock_timestamp(), read_ct = read_ct - 1"
                        " where msg_id = any ($1::bigint[])";
    session().exec_params(unread.c_str(), pg::params(array_of(ids)));
}

std::int64_t pgmq_session::visibility() const {
    return std::chrono::ceil<std::chrono::seconds>(how_.redeliver_after).count();
}

}  // namespace postrider
