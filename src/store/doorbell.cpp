#include "store/doorbell.hpp"

#include <postrider/error.hpp>

namespace postrider::store {

bool doorbell_keep(pg::connection& session, std::string_view channel) {
    return session.exec_params("select postrider.doorbell_keep($1)", pg::params(channel))
        .get<bool>(0, 0);
}

sleep_answer doorbell_sleep(pg::connection& session, std::string_view channel) {
    const auto row =
        session.exec_params("select postrider.doorbell_sleep($1)", pg::params(channel));
    const auto answer = row.text(0, 0);
    if (answer == "asleep") {
        return sleep_answer::asleep;
    }
    if (answer == "busy") {
        return sleep_answer::busy;
    }
    if (answer == "poll") {
        return sleep_answer::poll;
    }
    throw error(errc::schema_newer, "the doorbell answers '" + std::string(answer) + "'");
}

void doorbell_wake(pg::connection& session, std::string_view channel) {
    session.exec_params("select postrider.doorbell_wake($1)", pg::params(channel));
}

void wake_all(pg::connection& session, std::string_view channel) {
    session.exec_params("select pg_notify($1, '')", pg::params(channel));
}

double notification_queue_usage(pg::connection& session) {
    return session.exec("select pg_notification_queue_usage()").get<double>(0, 0);
}

}  // namespace postrider::store
