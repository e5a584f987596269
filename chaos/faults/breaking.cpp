#include "chaos/faults/breaking.hpp"

#include <stdexcept>

namespace postrider::chaos {
namespace {

// Replaces a piece of an installed function; a function that has changed is an error of the test.
void patch(testbed& on, const std::string& function, const std::string& from,
           const std::string& to) {
    auto text = on.session()
                    .exec_params(
                        "select pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace ="
                        " 'postrider'::regnamespace and p.proname = $1",
                        pg::params(function))
                    .get<std::string>(0, 0);
    const auto at = text.find(from);
    if (at == std::string::npos) {
        throw std::logic_error(function + " has changed: it lacks " + from);
    }
    on.session().exec(text.replace(at, from.size(), to));
}

}  // namespace

void break_before_start(const std::string& rule, testbed_options& options) {
    if (rule == "listen") {
        options.worker_faults = "worker.look_after_listening:skip:1";
    } else if (rule == "fence") {
        options.worker_faults = "worker.in_doubt:skip:1";  // or it rarely reports a lost lease
    } else if (!rule.empty() && rule != "late_committers" && rule != "keeper" && rule != "order") {
        throw std::invalid_argument("no rule '" + rule +
                                    "': fence, late_committers, listen, keeper or order");
    }
}

void break_database(const std::string& rule, testbed& on) {
    if (rule == "fence") {
        patch(on, "conclude_others", "and d.lease_token = o.token", "");
        patch(on, "conclude_others", "and (p_worker is null or d.worker_id = p_worker)", "");
        patch(on, "settle", "and token = p_token and worker_id = p_worker", "");
        patch(on, "settle", "l.finished_at is not null", "false");
    } else if (rule == "late_committers") {
        patch(on, "log_late", "m.xid = x.xid", "m.xid = x.xid and false");
    } else if (rule == "order") {
        patch(on, "busy_keys", "where k.key is not null", "where false");
    } else if (rule == "keeper") {
        patch(on, "doorbell_hold",
              "perform pg_advisory_lock(postrider.lock_doorbell(), hashtext(p_channel));",
              "return;");
        patch(on, "doorbell_relay", "perform pg_notify(p_channel, 'relay');", "");
        // A keeper that began before holds the doorbell.
        on.try_sql(
            "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'"
            " and mode = 'ExclusiveLock' and classid = postrider.lock_doorbell()::oid");
    }
}

}  // namespace postrider::chaos
