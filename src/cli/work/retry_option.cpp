#include "cli/work/retry_option.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <postrider/error.hpp>
#include <string>
#include <utility>

#include "cli/output/times.hpp"

namespace postrider::cli {
namespace {

constexpr std::array<std::pair<std::string_view, curve>, 6> curves{
    {{"exponential", curve::exponential},
     {"quadratic", curve::quadratic},
     {"linear", curve::linear},
     {"fixed", curve::fixed},
     {"immediate", curve::immediate},
     {"list", curve::list}}};

constexpr auto default_cap = std::chrono::minutes(5);

// Consumes the text up to a separator.
std::string_view take_until(std::string_view& rest, char separator) {
    const auto end = std::min(rest.find(separator), rest.size());
    const auto taken = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return taken;
}

}  // namespace

retry_policy parse_retry(std::string_view text) {
    auto rest = text;
    const auto name = take_until(rest, ':');
    const auto* found = std::ranges::find(curves, name, &std::pair<std::string_view, curve>::first);
    if (found == curves.end() || text.ends_with(':') || text.ends_with(',')) {
        throw usage_error(
            "--retry: '" + std::string(text) +
            "' is not a retry policy; write exponential, quadratic, linear, fixed or immediate,"
            " with base and cap like fixed:5s or exponential:1s:5m, or list:1s,10s,1m");
    }
    retry_policy policy{.curve = found->second};
    if (policy.curve == curve::list) {
        while (!rest.empty()) {
            policy.delays.push_back(parse_duration(take_until(rest, ','), "--retry"));
        }
        if (policy.delays.empty()) {
            throw usage_error("--retry: list needs delays, for example list:1s,10s,1m");
        }
        return policy;
    }
    if (!rest.empty()) {
        policy.base = parse_duration(take_until(rest, ':'), "--retry");
    }
    if (!rest.empty()) {
        policy.cap = parse_duration(rest, "--retry");
    } else if (policy.base > default_cap) {
        policy.cap = policy.base;  // fixed:1h means an hour, not the default cap
    }
    try {
        to_json(policy);
    } catch (const usage_error& problem) {
        throw usage_error("--retry: '" + std::string(text) + "': " + problem.what() +
                          "; a cap follows the base, as in exponential:1s:5m");
    }
    return policy;
}

}  // namespace postrider::cli
