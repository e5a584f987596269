#include "store/work/deliveries.hpp"

#include <algorithm>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "store/messages/encode.hpp"

namespace postrider::store {
namespace {

constexpr const char* claim_due_statement = "postrider_claim_due";
constexpr const char* settle_due_statement = "postrider_settle_due";

delivery_result result_from(std::string_view text) {
    if (text == "pending") {
        return delivery_result::pending;
    }
    if (text == "delivered") {
        return delivery_result::delivered;
    }
    if (text == "failed") {
        return delivery_result::failed;
    }
    if (text == "lost_lease") {
        return delivery_result::lost_lease;
    }
    throw error(errc::schema_newer, "unknown delivery result '" + std::string(text) + "'");
}

std::string outcomes_json(std::span<const delivery_outcome> outcomes) {
    json_array all;
    for (const auto& item : outcomes) {
        json_object one;
        one.add("delivery", item.delivery_id).add("token", item.lease_token.text());
        all.add_raw(with_outcome(std::move(one), item));
    }
    return all.text();
}

}  // namespace

instant due_delivery::deadline() const {
    return from_postgres_time(rows_->get<std::int64_t>(row_, 2));
}

void prepare_due(pg::connection& session) {
    session.prepare(claim_due_statement,
                    "select * from postrider.claim_due($1, $2, $3, $4, $5, $6)");
    session.prepare(settle_due_statement,
                    "select delivery_id, result from postrider.settle_due($1, $2)");
}

due_batch claim_due(pg::connection& session, const claim_due_request& request) {
    pg::params values;
    add(values, request.worker);
    values.add(request.limit);
    add(values, request.deadline);
    values.add(request.alone);
    json_object batches;
    for (const auto& [handler, size] : request.batches) {
        batches.add(handler, size);
    }
    values.add(batches.text());
    values.add(request.hold);
    return due_batch(session.exec_prepared(claim_due_statement, values, pg::format::binary));
}

std::vector<settled_delivery> settle_due(pg::connection& session, const uuid& worker,
                                         std::span<const delivery_outcome> outcomes) {
    pg::params values;
    add(values, worker);
    values.add(outcomes_json(outcomes));
    const auto rows = session.exec_prepared(settle_due_statement, values);
    std::vector<settled_delivery> settled;
    settled.reserve(static_cast<std::size_t>(rows.rows()));
    for (int row = 0; row < rows.rows(); ++row) {
        settled.push_back({rows.get<std::int64_t>(row, 0), result_from(rows.text(row, 1))});
    }
    return settled;
}

next_times next_due(pg::connection& session, const uuid& worker) {
    pg::params values;
    add(values, worker);
    const auto row = session.exec_params(
        "select ceil(extract(epoch from delivery_at - clock_timestamp()) * 1000000)::bigint,"
        " ceil(extract(epoch from waiting_at - clock_timestamp()) * 1000000)::bigint"
        " from postrider.next_times($1)",
        values);
    const auto left = [&row](int column) -> std::optional<std::chrono::microseconds> {
        const auto time = row.get<std::optional<std::int64_t>>(0, column);
        // A later time would not fit into nanoseconds; the worker queries again after a day.
        constexpr std::int64_t day = std::chrono::microseconds(std::chrono::hours(24)).count();
        return time ? std::optional(
                          std::chrono::microseconds(std::clamp<std::int64_t>(*time, 0, day)))
                    : std::nullopt;
    };
    return {.delivery = left(0), .waiting = left(1)};
}

}  // namespace postrider::store
