#include "store/work/workers.hpp"

#include "base/json/json.hpp"
#include "store/messages/encode.hpp"

namespace postrider::store {
namespace {

std::string list_json(const std::vector<std::string>& texts) {
    json_array all;
    for (const auto& text : texts) {
        all.add(text);
    }
    return all.text();
}

std::string registration_json(const handler_registration& handler) {
    json_object item;
    item.add("name", handler.name)
        .add_raw("event_types", list_json(handler.event_types))
        .add("max_attempts", handler.max_attempts)
        .add("max_crashes", handler.max_crashes)
        .add("honour_terminal", handler.honour_terminal);
    if (handler.retry) {
        item.add_raw("retry", *handler.retry);
    }
    if (handler.circuit) {
        item.add_raw("circuit", *handler.circuit);
    }
    if (handler.broker) {
        item.add_raw("broker", *handler.broker);
    }
    // null and not absent: a limit that an earlier version of the program declared ends.
    item.add_raw("limit", handler.limit.value_or("null"));
    json_object classes;
    if (!handler.terminal_classes.empty()) {
        classes.add_raw("terminal", list_json(handler.terminal_classes));
    }
    if (!handler.transient_classes.empty()) {
        classes.add_raw("transient", list_json(handler.transient_classes));
    }
    if (!handler.outage_classes.empty()) {
        classes.add_raw("outage", list_json(handler.outage_classes));
    }
    return item.add_raw("classes", classes.text()).text();
}

std::string registrations_json(const std::vector<handler_registration>& handlers) {
    json_array all;
    for (const auto& handler : handlers) {
        all.add_raw(registration_json(handler));
    }
    return all.text();
}

}  // namespace

void require_deployment(pg::connection& session, const std::string& name) {
    if (!name.empty()) {
        session.exec_params("select postrider.require_deployment($1)", pg::params(name));
    }
}

std::string server_mismatch(pg::connection& session) {
    const auto difference = session.exec("select postrider.server_mismatch()");
    return std::string(difference.text(0, 0));
}

int register_worker(pg::connection& session, const worker_registration& registration) {
    pg::params values;
    add(values, registration.worker);
    values.add(registration.consumer)
        .add(registrations_json(registration.handlers))
        .add(registration.channel)
        .add(registration.generation)
        .add(interval_text(registration.alive_for))
        .add(registration.host)
        .add(registration.version)
        .add(registration.from_beginning)
        .add(registration.ordering)
        .add(registration.threads);
    return session
        .exec_params(
            "select postrider.register_worker($1, $2, $3, $4, $5, $6, $7, $8, $9, "
            "p_ordering => $10, p_threads => $11)",
            values)
        .get<int>(0, 0);
}

void unregister_worker(pg::connection& session, const uuid& worker) {
    pg::params values;
    add(values, worker);
    session.exec_params("select postrider.unregister_worker($1)", values);
}

std::vector<std::int64_t> heartbeat(pg::connection& session, const uuid& worker,
                                    std::span<const std::int64_t> leases) {
    pg::params values;
    add(values, worker);
    values.add(array_text(leases));
    const auto rows = session.exec_params("select postrider.heartbeat($1, $2)", values);
    std::vector<std::int64_t> lost;
    lost.reserve(static_cast<std::size_t>(rows.rows()));
    for (int row = 0; row < rows.rows(); ++row) {
        lost.push_back(rows.get<std::int64_t>(row, 0));
    }
    return lost;
}

std::chrono::system_clock::time_point record_runs(pg::connection& session, const uuid& worker,
                                                  const std::string& runs) {
    pg::params values;
    add(values, worker);
    values.add(runs);
    const auto row = session.exec_params(
        "select (extract(epoch from postrider.record_runs($1, $2)) * 1000000)::bigint", values);
    return std::chrono::system_clock::time_point(
        std::chrono::microseconds(row.get<std::int64_t>(0, 0)));
}

bool has_peer(pg::connection& session, const uuid& worker) {
    pg::params values;
    add(values, worker);
    return session.exec_params("select postrider.has_peer($1)", values).get<bool>(0, 0);
}

std::vector<std::string> changed_handlers(pg::connection& session, const uuid& worker) {
    pg::params values;
    add(values, worker);
    const auto rows = session.exec_params("select postrider.changed_handlers($1)", values);
    std::vector<std::string> names;
    for (int row = 0; row < rows.rows(); ++row) {
        names.push_back(rows.get<std::string>(row, 0));
    }
    return names;
}

std::vector<immediate_retry_grant> immediate_retries(pg::connection& session, const uuid& worker) {
    pg::params values;
    add(values, worker);
    const auto rows = session.exec_params(
        "select handler, retries, failures from postrider.immediate_retries($1)", values);
    std::vector<immediate_retry_grant> grants;
    for (int row = 0; row < rows.rows(); ++row) {
        grants.push_back(
            {rows.get<std::string>(row, 0), rows.get<int>(row, 1), rows.get<int>(row, 2)});
    }
    return grants;
}

std::vector<uuid> cancelled_jobs(pg::connection& session, const uuid& worker) {
    pg::params values;
    add(values, worker);
    const auto rows = session.exec_params("select postrider.cancelled_jobs($1)", values);
    std::vector<uuid> ids;
    for (int row = 0; row < rows.rows(); ++row) {
        ids.push_back(uuid::parse(rows.get<std::string>(row, 0)));
    }
    return ids;
}

given_back resume_worker(pg::connection& session, const uuid& worker,
                         std::span<const std::int64_t> leases,
                         std::span<const std::int64_t> deliveries) {
    pg::params values;
    add(values, worker);
    values.add(array_text(leases)).add(array_text(deliveries));
    const auto row = session.exec_params(
        "select leases, deliveries from postrider.resume_worker($1, $2, $3)", values);
    return {row.get<int>(0, 0), row.get<int>(0, 1)};
}

bool handle_once(pg::connection& session, const inbox_key& key) {
    return session
        .exec_params("select postrider.handle_once(row($1, $2, $3, $4))",
                     pg::params(key.consumer, key.handler, key.source, key.idempotency_key))
        .get<bool>(0, 0);
}

}  // namespace postrider::store
