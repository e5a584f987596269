#include "store/operate/erase.hpp"

namespace postrider::store {

erased erase(pg::connection& session, const std::string& filter, bool dry_run,
             const audit_entry& why) {
    const auto found = session.exec_params(
        "select messages, deliveries, jobs from postrider.erase($1, $2, $3, $4)",
        pg::params(filter, why.actor, why.reason, dry_run));
    return {found.get<std::int64_t>(0, 0), found.get<std::int64_t>(0, 1),
            found.get<std::int64_t>(0, 2)};
}

}  // namespace postrider::store
