#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <postrider/error.hpp>
#include <postrider/worker.hpp>

#include "base/encoding/utf8.hpp"
#include "base/json/check_json.hpp"

namespace postrider {
namespace {

// As in sql/functions/progress/internal/require_progress.sql.
constexpr std::size_t text_max = 1000;
constexpr std::size_t result_max = 16384;

}  // namespace

std::string context::run_key(const event& of) const {
    return of.id() + "/" + std::to_string(values_.cycle) + "/" + std::to_string(values_.attempts);
}

void context::progress(double fraction, std::string_view text, std::size_t index) const {
    if (std::isnan(fraction)) {
        throw usage_error("progress: the fraction must be a number from 0 to 1");
    }
    if (values_.record != nullptr) {
        job_progress made{.fraction = std::clamp(fraction, 0.0, 1.0)};
        if (!text.empty()) {
            made.text = repaired_utf8(text, text_max);
        }
        (*values_.record)(index, std::move(made));
    }
}

void context::result(std::string_view json, std::size_t index) const {
    if (json.size() > result_max) {
        throw usage_error(errc::too_large,
                          fmt::format("result: a result must have at most {} bytes, got {}; store "
                                      "it elsewhere and record "
                                      "a reference",
                                      result_max, json.size()));
    }
    if (const auto found = check_json(json); found.problem != nullptr) {
        throw usage_error(fmt::format("result: not JSON: {} at byte {}", found.problem, found.at));
    }
    if (values_.record != nullptr) {
        (*values_.record)(index, {.result = std::string(json)});
    }
}

}  // namespace postrider
