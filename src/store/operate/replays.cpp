#include "store/operate/replays.hpp"

#include <algorithm>

namespace postrider::store {
namespace {

void change(pg::connection& session, const char* sql, std::int64_t replay, const audit_entry& why) {
    session.exec_params(sql, pg::params(replay, why.actor, why.reason));
}

std::int64_t make(pg::connection& session, const char* sql, const replay_request& request) {
    pg::params values;
    values.add(request.filter)
        .add(request.why.actor)
        .add(request.why.reason)
        .add(request.canary)
        .add(request.rate)
        .add(request.generation)
        .add(request.expected);
    return session.exec_params(sql, values).get<std::int64_t>(0, 0);
}

}  // namespace

preview replay_preview(pg::connection& session, const dead_filter& filter, int samples) {
    const auto row = session.exec_params(
        "select p, (p ->> 'total')::bigint, $1::jsonb ||"
        "  case when $1::jsonb ?| '{ids,deliveries}' then '{}' else "
        "jsonb_build_object('dead_before',"
        "   least((p ->> 'at')::timestamptz, ($1::jsonb ->> 'dead_before')::timestamptz)) end"
        " from postrider.replay_preview($1::jsonb, $2) p",
        pg::params(filter, samples));
    return {row.get<std::int64_t>(0, 1), row.get<std::string>(0, 0), row.get<std::string>(0, 2)};
}

listing preview_rows(pg::connection& session, const preview& shown, std::string_view part) {
    return list(session, "preview_rows($1, $2)", pg::params(shown.json, part));
}

std::int64_t replay_start(pg::connection& session, const replay_request& request) {
    return make(session, "select postrider.replay_start($1, $2, $3, $4, $5, $6, $7)", request);
}

std::int64_t replay_propose(pg::connection& session, const replay_request& request) {
    return make(session, "select postrider.replay_propose($1, $2, $3, $4, $5, $6, $7)", request);
}

preview replay_proposal(pg::connection& session, std::int64_t replay) {
    const auto row = session.exec_params(
        "select coalesce(p, '{}'), coalesce((p ->> 'total')::bigint, 0)"
        " from postrider.replay_proposal($1) p",
        pg::params(replay));
    return {row.get<std::int64_t>(0, 1), row.get<std::string>(0, 0)};
}

namespace {

constexpr const char* replay_step_sql =
    "select replay, moved, skipped, phase,"
    " ceil(extract(epoch from again_at - clock_timestamp()) * 1000000)::bigint"
    " from postrider.replay_step($1, $2)";

pg::params replay_step_params(std::optional<std::int64_t> replay, int limit) {
    pg::params values;
    values.add(limit).add(replay);
    return values;
}

}  // namespace

std::vector<replay_moved> replay_step(pg::connection& session, std::optional<std::int64_t> replay,
                                      int limit) {
    return replay_moves(session.exec_params(replay_step_sql, replay_step_params(replay, limit)));
}

void send_replay_step(pg::connection& session, int limit) {
    session.send(replay_step_sql, replay_step_params({}, limit));
}

std::vector<replay_moved> replay_moves(const pg::result& rows) {
    std::vector<replay_moved> moved;
    for (int row = 0; row < rows.rows(); ++row) {
        const auto left = rows.get<std::optional<std::int64_t>>(row, 4);
        moved.push_back(
            {rows.get<std::int64_t>(row, 0), rows.get<int>(row, 1), rows.get<int>(row, 2),
             rows.get<std::string>(row, 3),
             left ? std::optional(std::chrono::microseconds(std::max<std::int64_t>(*left, 0)))
                  : std::nullopt});
    }
    return moved;
}

replay_standing replay_status(pg::connection& session, std::int64_t replay) {
    const auto row = session.exec_params(
        "select phase, total, waiting, moved, delivered, failed, skipped, cancelled, notes"
        " from postrider.replay_status($1)",
        pg::params(replay));
    return {row.get<std::string>(0, 0), row.get<int>(0, 1), row.get<int>(0, 2),
            row.get<int>(0, 3),         row.get<int>(0, 4), row.get<int>(0, 5),
            row.get<int>(0, 6),         row.get<int>(0, 7), std::string(row.text(0, 8))};
}

std::string replay_summary(pg::connection& session, std::int64_t replay) {
    return session
        .exec_params("select summary from postrider.replay_status($1)", pg::params(replay))
        .get<std::string>(0, 0);
}

void replay_approve(pg::connection& session, std::int64_t replay, const audit_entry& why,
                    std::string_view token) {
    session.exec_params(
        "select postrider.replay_approve($1, $2, $3, decode(nullif($4::text, ''), 'hex'))",
        pg::params(replay, why.actor, why.reason, token));
}

void replay_pause(pg::connection& session, std::int64_t replay, const audit_entry& why) {
    change(session, "select postrider.replay_pause($1, $2, $3)", replay, why);
}

void replay_resume(pg::connection& session, std::int64_t replay, const audit_entry& why) {
    change(session, "select postrider.replay_resume($1, $2, $3)", replay, why);
}

void replay_cancel(pg::connection& session, std::int64_t replay, const audit_entry& why) {
    change(session, "select postrider.replay_cancel($1, $2, $3)", replay, why);
}

}  // namespace postrider::store
