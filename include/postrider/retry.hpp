#pragma once

#include <chrono>
#include <concepts>
#include <exception>
#include <optional>
#include <postrider/export.hpp>
#include <string>
#include <vector>

namespace postrider {

enum class curve { exponential, quadratic, linear, fixed, immediate, list };
enum class jitter { full, equal, none };

/// The delay after a failed attempt. Empty fields have the default of the curve; the
/// database applies the same rules (sql/functions/settle/delay.sql).
struct retry_policy {
    postrider::curve curve = postrider::curve::exponential;
    std::optional<std::chrono::milliseconds> base = {};   ///< 1 s; for fixed 60 s
    std::optional<double> multiplier = {};                ///< 2
    std::optional<std::chrono::milliseconds> cap = {};    ///< 5 min; never less than base
    std::optional<std::chrono::milliseconds> floor = {};  ///< 100 ms; for immediate 0
    std::optional<postrider::jitter> jitter = {};         ///< full for exponential, otherwise none
    std::vector<std::chrono::milliseconds> delays = {};   ///< for list; the last one repeats
    /// A retry that would start later than this after publication, or after a replay began the
    /// cycle, is not made: the message is a dead letter. Empty: no limit.
    std::optional<std::chrono::milliseconds> max_age = {};

    bool operator==(const retry_policy&) const = default;
};

/// When a handler's circuit opens, and when it is probed. Empty fields come from the database's
/// settings.
struct circuit_policy {
    std::optional<int> failures = {};  ///< transient ones in a row that open it: 20; 0: never
    std::optional<std::chrono::milliseconds> open = {};  ///< until the first probe: 30 s
    std::optional<std::chrono::milliseconds> cap = {};   ///< maximum between probes: 10 min
    std::optional<int> ramp = {};                        ///< runs at once before it is closed: 16

    bool operator==(const circuit_policy&) const = default;
};

/// The delay after the failure of a cycle's run number `attempt`. `u` in [0, 1) is the random
/// number of the jitter. A pure function of its arguments.
POSTRIDER_EXPORT std::chrono::microseconds delay(const retry_policy& policy, int attempt, double u);

/// The policy as register_worker() takes it.
POSTRIDER_EXPORT std::string to_json(const retry_policy& policy);

/// A set of exception types: error_list::of<std::invalid_argument, my::not_found>().
class error_list {
  public:
    template <typename... Errors>
    static error_list of() {
        error_list list;
        (list.matchers_.push_back(&is<Errors>), ...);
        return list;
    }
    bool contains(const std::exception& problem) const {
        for (const auto& matches : matchers_) {
            if (matches(problem)) {
                return true;
            }
        }
        return false;
    }

  private:
    using matcher = bool (*)(const std::exception&);

    template <typename Error>
    static bool is(const std::exception& problem) {
        if constexpr (std::same_as<Error, std::exception>) {
            return true;
        } else {
            return dynamic_cast<const Error*>(&problem) != nullptr;
        }
    }

    std::vector<matcher> matchers_;
};

}  // namespace postrider
