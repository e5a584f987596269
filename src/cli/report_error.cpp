#include "cli/report_error.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <postrider/error.hpp>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace postrider::cli {
namespace {

// What the server says where Postrider was never installed.
bool is_schema_missing(const error& problem) {
    const auto& state = problem.sqlstate();
    const bool undefined = state == "3F000" || state == "42883" || state == "42P01";
    return undefined &&
           std::string_view(problem.what()).find("postrider") != std::string_view::npos;
}

}  // namespace

int report_error(const std::exception& problem, bool json) {
    constexpr int internal_exit = 70;  // EX_SOFTWARE
    const auto* known = dynamic_cast<const error*>(&problem);
    if (known != nullptr && known->code() == errc::database_error && is_schema_missing(*known)) {
        return report_error(
            schema_error(errc::schema_outdated,
                         "the schema is missing or too old; run `postrider migrate up` (" +
                             std::string(problem.what()) + ")",
                         {.sqlstate = known->sqlstate()}),
            json);
    }
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
