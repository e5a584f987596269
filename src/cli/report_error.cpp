#include "cli/report_error.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <postrider/error.hpp>

#include "base/json.hpp"

namespace postrider::cli {

int report_error(const std::exception& problem, bool json) {
    constexpr int internal_exit = 70;  // EX_SOFTWARE
    const auto* known = dynamic_cast<const error*>(&problem);
    const std::string_view name = known != nullptr ? describe(known->code()).name : "internal";
    if (json) {
        json_object report;
        report.add("error", name).add("message", problem.what());
        if (known != nullptr) {
            report.add("sqlstate", known->sqlstate()).add("retryable", known->retryable());
        }
        fmt::print(stderr, "{}\n", report.text());
    } else {
        fmt::print(stderr, "postrider: {}\n", problem.what());
    }
    return known != nullptr ? describe(known->code()).exit_code : internal_exit;
}

}  // namespace postrider::cli
