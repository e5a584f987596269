#include "store/work/doorbell.hpp"

#include <postrider/error.hpp>

namespace postrider::store {
namespace {

announcement announcement_from(std::string_view state) {
    if (state == "kept") {
        return announcement::kept;
    }
    if (state == "unkept") {
        return announcement::unkept;
    }
    if (state == "unserved") {
        return announcement::unserved;
    }
    if (state == "poll") {
        return announcement::poll;
    }
    throw error(errc::schema_newer, "unknown doorbell state '" + std::string(state) + "'");
}

}  // namespace

bool doorbell_keep(pg::connection& session, std::string_view channel) {
    return session.exec_params("select postrider.doorbell_keep($1)", pg::params(channel))
        .get<bool>(0, 0);
}

void doorbell_release(pg::connection& session, std::string_view channel) {
    session.exec_params("select postrider.doorbell_release($1)", pg::params(channel));
}

std::int64_t doorbell_relay(pg::connection& session, std::string_view channel) {
    return session.exec_params("select postrider.doorbell_relay($1)", pg::params(channel))
        .get<std::int64_t>(0, 0);
}

doorbell_facts doorbell_watch(pg::connection& session, std::string_view channel) {
    const auto rows = session.exec_params(
        "select w.wake, w.commit_waiters, s from postrider.doorbell_watch($1) w"
        " left join lateral unnest(w.silent) s on true",
        pg::params(channel));
    doorbell_facts facts{std::string(rows.text(0, 0)), {}, rows.get<int>(0, 1)};
    for (int row = 0; row < rows.rows() && !rows.is_null(row, 2); ++row) {
        facts.silent.emplace_back(rows.text(row, 2));
    }
    return facts;
}

doorbell_state doorbell_state_of(pg::connection& session, std::string_view channel) {
    const auto row =
        session.exec_params("select state, coalesce(holder, '') from postrider.doorbell_state($1)",
                            pg::params(channel));
    return {announcement_from(row.text(0, 0)), std::string(row.text(0, 1))};
}

void wake_all(pg::connection& session, std::string_view channel, std::string_view note) {
    session.exec_params("select pg_notify($1, $2)", pg::params(channel, note));
}

double notification_queue_usage(pg::connection& session) {
    return session.exec("select pg_notification_queue_usage()").get<double>(0, 0);
}

}  // namespace postrider::store
