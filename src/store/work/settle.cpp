#include "store/work/settle.hpp"

#include "store/messages/encode.hpp"

namespace postrider::store {
namespace {

pg::params name_lease(const uuid& worker, const lease_ref& lease) {
    pg::params values;
    add(values, worker);
    values.add(lease.id);
    add(values, lease.token);
    return values;
}

}  // namespace

settlement settle(pg::connection& session, const uuid& worker, const lease_ref& lease,
                  std::optional<std::span<const std::int64_t>> delivered,
                  std::span<const failure> failures) {
    auto values = name_lease(worker, lease);
    add(values, delivered);
    if (failures.empty()) {
        values.add_null();
    } else {
        values.add(failures_json(failures));
    }
    return settlement_from(
        session.exec_params("select postrider.settle($1, $2, $3, $4, $5)", values).text(0, 0));
}

settlement release(pg::connection& session, const uuid& worker, const lease_ref& lease,
                   std::optional<std::span<const std::int64_t>> seqs) {
    auto values = name_lease(worker, lease);
    add(values, seqs);
    return settlement_from(
        session.exec_params("select postrider.release($1, $2, $3, $4)", values).text(0, 0));
}

bool extend(pg::connection& session, const uuid& worker, const lease_ref& lease,
            std::chrono::milliseconds deadline) {
    auto values = name_lease(worker, lease);
    values.add(interval_text(deadline));
    return session.exec_params("select postrider.extend($1, $2, $3, $4)", values).text(0, 0) ==
           "extended";
}

reaped reap(pg::connection& session, int limit) {
    const auto row =
        session.exec_params("select leases, deliveries from postrider.reap($1)", pg::params(limit));
    return {row.get<int>(0, 0), row.get<int>(0, 1)};
}

}  // namespace postrider::store
