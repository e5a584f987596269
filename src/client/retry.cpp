#include <algorithm>
#include <charconv>
#include <cmath>
#include <postrider/error.hpp>
#include <postrider/retry.hpp>

#include "base/json/json.hpp"

namespace postrider {
namespace {

// As in sql/functions/settle/delay.sql: no number may overflow.
constexpr double longest_ms = 1e12;
constexpr double multiplier_max = 1000;
constexpr double multiplier_min = 0.001;  // smaller ones count as 0
constexpr int attempt_max = 100'000;
constexpr int exponent_max = 60;

std::string_view to_string(curve kind) {
    switch (kind) {
        case curve::exponential:
            return "exponential";
        case curve::quadratic:
            return "quadratic";
        case curve::linear:
            return "linear";
        case curve::fixed:
            return "fixed";
        case curve::immediate:
            return "immediate";
        case curve::list:
            break;
    }
    return "list";
}

std::string_view to_string(jitter kind) {
    switch (kind) {
        case jitter::full:
            return "full";
        case jitter::equal:
            return "equal";
        case jitter::none:
            break;
    }
    return "none";
}

double as_ms(std::chrono::milliseconds length) {
    return std::clamp(static_cast<double>(length.count()), 0.0, longest_ms);
}

double multiplier_of(const retry_policy& policy) {
    const auto multiplier = std::min(policy.multiplier.value_or(2), multiplier_max);
    return multiplier < multiplier_min ? 0 : multiplier;
}

double base_of(const retry_policy& policy) {
    return policy.base ? as_ms(*policy.base) : policy.curve == curve::fixed ? 60'000 : 1000;
}

double nominal(const retry_policy& policy, int attempt) {
    const auto base = base_of(policy);
    switch (policy.curve) {
        case curve::exponential:
            return base * std::pow(multiplier_of(policy), std::min(attempt - 1, exponent_max));
        case curve::quadratic:
            return base * attempt * attempt;
        case curve::linear:
            return base * attempt;
        case curve::immediate:
            return 0;
        case curve::list:
            if (!policy.delays.empty()) {
                const auto last = policy.delays.size();
                return as_ms(policy.delays[std::min(static_cast<std::size_t>(attempt), last) - 1]);
            }
            break;
        case curve::fixed:
            break;
    }
    return base;
}

double cap_of(const retry_policy& policy) { return policy.cap ? as_ms(*policy.cap) : 300'000; }

void require(bool fulfilled, const std::string& problem) {
    if (!fulfilled) {
        throw usage_error("retry policy: " + problem);
    }
}

void add_ms(json_object& to, std::string_view name,
            const std::optional<std::chrono::milliseconds>& length) {
    if (length) {
        require(length->count() >= 0, "a duration must not be negative");
        to.add(name, length->count());
    }
}

// The cap would replace every wait, and the base would have no effect.
void require_base_within_cap(const retry_policy& policy) {
    if (policy.curve == curve::immediate || policy.curve == curve::list) {
        return;
    }
    const auto described = [](double ms, bool is_set) {
        return std::to_string(std::llrint(ms)) + " ms" + (is_set ? "" : " (the default)");
    };
    require(base_of(policy) <= cap_of(policy),
            "base " + described(base_of(policy), policy.base.has_value()) + " is more than cap " +
                described(cap_of(policy), policy.cap.has_value()) + "; lower base or raise cap");
}

}  // namespace

std::chrono::microseconds delay(const retry_policy& policy, int attempt, double u) {
    const auto cap = cap_of(policy);
    const auto floor = policy.floor                       ? as_ms(*policy.floor)
                       : policy.curve == curve::immediate ? 0
                                                          : 100;
    const auto ms = std::min(cap, nominal(policy, std::clamp(attempt, 1, attempt_max)));
    double drawn = ms;
    switch (
        policy.jitter.value_or(policy.curve == curve::exponential ? jitter::full : jitter::none)) {
        case jitter::full:
            drawn = ms * u;
            break;
        case jitter::equal:
            drawn = ms / 2 + ms / 2 * u;
            break;
        case jitter::none:
            break;
    }
    const auto seconds = std::min(cap, std::max(floor, drawn)) / 1000;
    return std::chrono::microseconds(std::llrint(seconds * 1e6));
}

std::string to_json(const retry_policy& policy) {
    json_object written;
    written.add("curve", to_string(policy.curve));
    add_ms(written, "base_ms", policy.base);
    if (policy.multiplier) {
        require(std::isfinite(*policy.multiplier) && *policy.multiplier >= 0,
                "multiplier must be a number that is not negative");
        char digits[64];
        const auto* end = std::to_chars(digits, digits + sizeof digits, *policy.multiplier).ptr;
        written.add_raw("multiplier", {digits, static_cast<std::size_t>(end - digits)});
    }
    add_ms(written, "cap_ms", policy.cap);
    add_ms(written, "floor_ms", policy.floor);
    if (policy.jitter) {
        written.add("jitter", to_string(*policy.jitter));
    }
    require_base_within_cap(policy);
    require(policy.curve != curve::list || !policy.delays.empty(), "the curve list needs delays");
    if (!policy.delays.empty()) {
        json_array delays;
        for (const auto length : policy.delays) {
            require(length.count() >= 0, "a duration must not be negative");
            delays.add_raw(std::to_string(length.count()));
        }
        written.add_raw("delays_ms", delays.text());
    }
    add_ms(written, "max_age_ms", policy.max_age);
    return written.text();
}

}  // namespace postrider
