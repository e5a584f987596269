#include "store/work/alerts.hpp"

#include <algorithm>
#include <map>

#include "base/encoding/utf8.hpp"
#include "base/json/json.hpp"
#include "store/messages/encode.hpp"

namespace postrider::store {
namespace {

constexpr std::size_t problem_bytes_max = 1000;

std::string targets_json(std::span<const alert_place> targets) {
    json_array all;
    for (const auto& target : targets) {
        json_object one;
        one.add("name", target.target);
        if (!target.configuration.empty()) {
            one.add("configuration", target.configuration);
        }
        all.add_raw(one.text());
    }
    return all.text();
}

alert read_alert(const pg::result& rows, int row) {
    using text = std::optional<std::string>;
    alert found;
    found.id = rows.get<std::int64_t>(row, 2);
    found.kind = rows.get<std::string>(row, 3);
    found.at = from_postgres_time(rows.get<std::int64_t>(row, 4));
    found.event_id = rows.get<text>(row, 5);
    found.event_type = rows.get<text>(row, 6);
    found.source = rows.get<text>(row, 7);
    found.target = rows.get<text>(row, 8);
    found.handler_name = rows.get<std::string>(row, 9);
    found.last_error = rows.get<text>(row, 10);
    found.attempts = rows.get<std::optional<int>>(row, 11);
    found.consumer = rows.get<std::string>(row, 12);
    found.channel = rows.get<std::string>(row, 13);
    found.cycle = rows.get<std::optional<int>>(row, 14);
    found.fingerprint = rows.get<text>(row, 15);
    found.error_class = rows.get<text>(row, 16);
    found.tries = rows.get<int>(row, 17);
    return found;
}

}  // namespace

void add_alert_target(pg::connection& session, const alert_place& target, bool started) {
    session.exec_params("select postrider.add_alert_target($1, nullif($2, ''), $3)",
                        pg::params(target.target, target.configuration, started));
}

std::vector<alert_place> sendable_places(pg::connection& session,
                                         std::span<const alert_place> targets) {
    const auto rows = session.exec_params(
        "select t.name, coalesce(t.configuration, '')"
        " from jsonb_to_recordset($1::jsonb) as t(name text, configuration text)"
        " where postrider.may_send_alerts(t.name, t.configuration)",
        pg::params(targets_json(targets)));
    std::vector<alert_place> sendable;
    for (int row = 0; row < rows.rows(); ++row) {
        sendable.push_back({rows.get<std::string>(row, 0), rows.get<std::string>(row, 1)});
    }
    return sendable;
}

std::vector<claimed_alert> claim_alerts(pg::connection& session,
                                        std::span<const alert_place> targets, int limit,
                                        std::chrono::milliseconds lease) {
    const auto rows = session.exec_params(
        "select t.name, a.token, a.alert_id, a.kind,"
        " (extract(epoch from a.at - '2000-01-01 00:00:00+00') * 1000000)::bigint,"
        " a.event_id, a.event_type, a.source, a.target, a.handler_name, a.last_error, a.attempts,"
        " a.consumer, a.channel, a.cycle, a.fingerprint, a.error_class, a.tries"
        " from jsonb_to_recordset($1::jsonb) as t(name text, configuration text)"
        " cross join lateral postrider.claim_alerts(t.name, $2, $3, t.configuration) a",
        pg::params(targets_json(targets), limit, interval_text(lease)));
    std::vector<claimed_alert> claimed;
    claimed.reserve(static_cast<std::size_t>(rows.rows()));
    for (int row = 0; row < rows.rows(); ++row) {
        claimed.push_back(
            {rows.get<std::string>(row, 0), uuid::parse(rows.text(row, 1)), read_alert(rows, row)});
    }
    return claimed;
}

void settle_alerts(pg::connection& session, std::span<const alert_result> results) {
    std::map<std::string_view, json_array> by_target;
    for (const auto& result : results) {
        json_object one;
        one.add("alert", result.alert_id)
            .add("token", result.token.text())
            .add("outcome", result.problem ? "failed" : "sent");
        if (result.problem) {
            one.add("error", repaired_utf8(*result.problem, problem_bytes_max));
        }
        by_target[result.target].add_raw(one.text());
    }
    for (const auto& [target, list] : by_target) {
        session.exec_params("select postrider.settle_alerts($1, $2)",
                            pg::params(target, list.text()));
    }
}

}  // namespace postrider::store
