#include "store/work/schedules.hpp"

namespace postrider::store {

schedule_change define_schedule(pg::connection& session, std::string_view name,
                                std::string_view definition, const audit_entry& why,
                                const std::optional<std::string>& consumer) {
    pg::params values(name, definition, why.actor, why.reason);
    values.add(consumer);
    const auto row =
        session.exec_params("select postrider.define_schedule($1, $2, $3, $4, $5)", values);
    const auto change = row.text(0, 0);
    return change == "created"   ? schedule_change::created
           : change == "changed" ? schedule_change::changed
                                 : schedule_change::unchanged;
}

void remove_schedule(pg::connection& session, std::string_view name, const audit_entry& why) {
    session.exec_params("select postrider.remove_schedule($1, $2, $3)",
                        pg::params(name, why.actor, why.reason));
}

void pause_schedule(pg::connection& session, std::string_view name, bool paused,
                    const audit_entry& why) {
    session.exec_params("select postrider.pause_schedule($1, $2, $3, $4)",
                        pg::params(name, paused, why.actor, why.reason));
}

std::string run_schedule(pg::connection& session, std::string_view name, const audit_entry& why) {
    return session
        .exec_params("select postrider.run_schedule($1, $2, $3)",
                     pg::params(name, why.actor, why.reason))
        .get<std::string>(0, 0);
}

backfilled backfill_schedule(pg::connection& session, std::string_view name,
                             const slot_range& range, int limit, const audit_entry& why) {
    const auto row = session.exec_params(
        "select fired, to_json(next_from) #>> '{}'"
        " from postrider.backfill_schedule($1, $2, $3, $4, $5, $6)",
        pg::params(name, range.from, range.to, limit, why.actor, why.reason));
    return {row.get<std::int64_t>(0, 0),
            row.is_null(0, 1) ? std::nullopt : std::optional(row.get<std::string>(0, 1))};
}

listing next_slots(pg::connection& session, const slot_question& question) {
    pg::params values(question.cron, question.time_zone);
    values.add(question.from).add(question.count);
    return listing(session.exec_params(
        "select json_build_object('slot', n, 'local', timezone($2, n)) as shown from "
        "postrider.next_slots($1, $2, coalesce($3::timestamptz, clock_timestamp()), $4) n",
        values));
}

firing fire_due(pg::connection& session, int limit) {
    const auto row = session.exec_params(
        "select schedules, fired, skipped,"
        " greatest(ceil(extract(epoch from again_at - clock_timestamp()) * 1000)::bigint, 0),"
        " again_at is null from postrider.fire_due($1)",
        pg::params(limit));
    firing result{row.get<int>(0, 0), row.get<int>(0, 1), row.get<int>(0, 2), {}};
    if (!row.get<bool>(0, 4)) {
        result.again_in = std::chrono::milliseconds(row.get<std::int64_t>(0, 3));
    }
    return result;
}

}  // namespace postrider::store
