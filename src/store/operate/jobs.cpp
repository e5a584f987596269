#include "store/operate/jobs.hpp"

namespace postrider::store {

listing job_places(pg::connection& session, std::string_view id) {
    return list(session, "job_places($1)", pg::params(id));
}

listing cancel(pg::connection& session, const job_filter& filter, int limit,
               const audit_entry& why) {
    return list(session, "cancel($1, $2, $3, $4)",
                pg::params(filter, why.actor, why.reason, limit));
}

listing cancel_preview(pg::connection& session, const job_filter& filter, int limit) {
    return list(session, "cancel($1, null, null, $2, true)", pg::params(filter, limit));
}

erased erase(pg::connection& session, const std::string& filter, bool dry_run,
             const audit_entry& why) {
    const auto found = session.exec_params(
        "select messages, deliveries, jobs from postrider.erase($1, $2, $3, $4)",
        pg::params(filter, why.actor, why.reason, dry_run));
    return {found.get<std::int64_t>(0, 0), found.get<std::int64_t>(0, 1),
            found.get<std::int64_t>(0, 2)};
}

}  // namespace postrider::store
