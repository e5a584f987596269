#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "pg/connection.hpp"
#include "store/work/outcome.hpp"

namespace postrider::store {

/// Progress and result that a handler recorded for a job that its worker holds: a message of a
/// lease, or a delivery.
struct progress_report {
    std::optional<lease_ref> lease = {};
    std::int64_t seq = 0;  ///< of a lease, with the next two
    uuid id = {};
    std::string handler = {};
    std::int64_t delivery = 0;  ///< without a lease, with its token
    uuid token = {};
    std::optional<double> fraction = {};     ///< from 0 to 1
    std::optional<std::string> text = {};    ///< up to 1000 bytes
    std::optional<std::string> result = {};  ///< JSON, up to 16384 bytes
};

/// Returns the number of reports that were recorded; those of lost jobs are not.
int record_progress(pg::connection& session, const uuid& worker,
                    std::span<const progress_report> reports);

}  // namespace postrider::store
