#pragma once

#include <string>

#include "bench/lab/workload.hpp"

namespace postrider::bench {

/// Transactions per second that many connections achieve together, each of them one execution of
/// `statement`, whose $1 is a payload. Few threads drive all connections: the processors belong to
/// the server.
double publishing_rate(const fresh_database& database, const std::string& statement,
                       int connections, seconds duration);

}  // namespace postrider::bench
