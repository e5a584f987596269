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

}  // namespace postrider::store
