#include "store/claim.hpp"

#include <postrider/error.hpp>
#include <utility>

#include "store/encode.hpp"

namespace postrider::store {
namespace {

enum column { settled, parked, lease_id, lease_token, seq };

}  // namespace

claimed_batch::claimed_batch(pg::result rows) : rows_(std::move(rows)) {
    if (rows_.empty()) {
        return;
    }
    // exchange() ends with a row that sums up; claim() repeats the lease in every row.
    const int last = rows_.rows() - 1;
    size_ = rows_.is_null(last, column::seq) ? last : last + 1;
    parked_ = rows_.get<std::optional<int>>(last, column::parked).value_or(0);
    if (!rows_.is_null(last, column::lease_id)) {
        lease_ = lease_ref{rows_.get<std::int64_t>(last, column::lease_id),
                           uuid::from_bytes(rows_.text(last, column::lease_token))};
    }
    if (!rows_.is_null(last, column::settled)) {
        settled_ = settlement_from(rows_.text(last, column::settled));
    }
}

const lease_ref& claimed_batch::held_lease() const {
    if (!lease_) {
        throw usage_error("an empty batch holds no lease; look at empty() first");
    }
    return *lease_;
}

void prepare_exchange(pg::connection& session) {
    session.prepare(exchange_statement,
                    "select * from postrider.exchange($1, $2, $3, $4, $5, $6, $7)");
}

pg::params exchange_params(const exchange_request& request) {
    pg::params values;
    add(values, request.worker);
    values.add(request.limit);
    if (request.lease) {
        values.add(request.lease->id);
        add(values, request.lease->token);
    } else {
        values.add_null().add_null();
    }
    add(values, request.delivered);
    if (request.failures.empty()) {
        values.add_null();
    } else {
        values.add(failures_json(request.failures));
    }
    add(values, request.deadline);
    return values;
}

claimed_batch exchange(pg::connection& session, const exchange_request& request) {
    return claimed_batch(
        session.exec_prepared(exchange_statement, exchange_params(request), pg::format::binary));
}

claimed_batch claim(pg::connection& session, const uuid& worker, int limit,
                    std::optional<std::chrono::milliseconds> deadline) {
    pg::params values;
    add(values, worker);
    values.add(limit);
    add(values, deadline);
    return claimed_batch(session.exec_params(
        "select null::text, 0, claimed.* from postrider.claim($1, $2, $3) as claimed", values,
        pg::format::binary));
}

}  // namespace postrider::store
