#include <algorithm>
#include <postrider/error.hpp>

#include "base/embedded_files.hpp"
#include "store/reads/health.hpp"

namespace postrider::store {
namespace {

// The queries are run from the program, not from functions of the schema: they have to work before
// the schema is installed, and with an older one.
std::string_view query(std::string_view name) {
    auto ending = "/" + std::string(name) + ".sql";
    std::ranges::replace(ending, ' ', '_');
    const auto files = embedded_files();
    const auto found = std::ranges::find_if(files, [&](const embedded_file& file) {
        return file.path.starts_with("health/") && file.path.ends_with(ending);
    });
    if (found == files.end()) {
        throw error(errc::config_invalid, "sql/health has no file " + ending.substr(1));
    }
    return found->text;
}

health_check check(std::string_view name, std::string_view fine) {
    return {name, fine, query(name)};
}

}  // namespace

std::vector<health_check> server_checks() {
    return {
        check("settings", "committed transactions are durable"),
        check("connections", "connections are available"),
        check("roles", "roles and grants are as installed"),
        check("horizon", "no session holds back vacuum"),
        check("vacuum", "dead rows are removed in time"),
        check("notify queue", "the NOTIFY queue is almost empty"),
    };
}

std::vector<health_check> engine_checks() {
    return {
        check("cluster", "the log was created in this database cluster"),
        check("deployment", "the server is the one recorded for its deployment"),
        check("partitions", "log partitions are created ahead of time"),
        check("consumers", "every consumer has workers and keeps up"),
        check("channels", "every channel with messages has a consumer"),
        check("handlers", "every handler has a running worker"),
        check("routing", "every target has a consumer and every event type a handler"),
        check("leases", "no lease is past its deadline"),
        check("circuits", "every circuit is closed"),
        check("keeper", "every idle channel has a keeper that holds the doorbell"),
        check("locks", "no other session holds an advisory lock of Postrider"),
        check("owners", "every consumer has an owner"),
        check("quotas", "no role has used 90 % of a quota"),
        check("dead letters", "no dead letters"),
        check("ordering keys", "no dead letter holds an ordering key"),
        check("limits", "no message has waited for a limit for more than an hour"),
        check("replays", "no replay waits for a decision"),
        check("schedules", "no schedule is overdue"),
        check("sets", "every set of jobs can publish its message"),
        check("pgmq", "every dead letter of a pipeline on pgmq is in its queues"),
        check("native", ""),
        check("alerts", "no alert has been unsent for more than an hour"),
        check("retention", "no row is past its retention"),
    };
}

}  // namespace postrider::store
