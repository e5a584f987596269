#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "store/reads/health.hpp"

namespace postrider::cli {

using findings = std::vector<store::finding>;

/// Known faults of a server release, e.g. 150010.
findings examine_version(int server_version);

/// The difference between two clocks, in seconds; positive: the server is ahead.
findings examine_clock(double ahead, double uncertain);

/// Whether the database has the functions that this program carries.
findings examine_functions(const std::vector<store::stored_function>& stored);

/// Runs all checks, in the order of the report. Conditions shorter than `overdue_after` are not
/// reported.
findings examine(const std::string& database, std::chrono::milliseconds overdue_after,
                 const std::string& deployment = {});

/// Throws usage_error for a name that no check has.
void require_checks(const std::vector<std::string>& names);

/// One object: the worst level and all findings.
std::string json_of(const findings& all);

}  // namespace postrider::cli
