#include "cli/output/times.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <postrider/error.hpp>
#include <string>

namespace postrider::cli {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::int64_t ten_years_ms = std::int64_t{3650} * 24 * 3600 * 1000;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Consumes tokens from the front of a text.
class scanner {
  public:
    explicit scanner(std::string_view text) : rest_(text) {}

    bool done() const { return rest_.empty(); }
    /// A number of exactly this many digits; 0: any.
    std::optional<std::int64_t> number(std::size_t digits) {
        std::size_t length = 0;
        while (length < rest_.size() && is_digit(rest_[length]) &&
               (digits == 0 || length < digits)) {
            ++length;
        }
        std::int64_t value = 0;
        const auto result = std::from_chars(rest_.data(), rest_.data() + length, value);
        if (length == 0 || (digits != 0 && length != digits) || result.ec != std::errc{}) {
            return std::nullopt;
        }
        rest_.remove_prefix(length);
        return value;
    }
    bool take(std::string_view part) {
        if (!rest_.starts_with(part)) {
            return false;
        }
        rest_.remove_prefix(part.size());
        return true;
    }
    std::string_view letters() {
        const auto end = std::ranges::find_if(rest_, is_digit);
        const auto taken = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
        rest_.remove_prefix(taken.size());
        return taken;
    }
    std::string_view digits() {
        const auto end = std::ranges::find_if_not(rest_, is_digit);
        const auto taken = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
        rest_.remove_prefix(taken.size());
        return taken;
    }

  private:
    std::string_view rest_;
};

std::optional<std::int64_t> unit_ms(std::string_view unit) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> units{
        {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
    const auto* found =
        std::ranges::find(units, unit, &std::pair<std::string_view, std::int64_t>::first);
    return found == units.end() ? std::nullopt : std::optional(found->second);
}

std::optional<milliseconds> duration_in(std::string_view text) {
    scanner rest(text);
    std::int64_t total = 0;
    do {
        const auto count = rest.number(0);
        const auto unit = unit_ms(rest.letters());
        if (!count || !unit || *count > ten_years_ms / *unit) {
            return std::nullopt;
        }
        total += *count * *unit;
    } while (!rest.done());
    return total > ten_years_ms ? std::nullopt : std::optional(milliseconds(total));
}

// "Z", "+01:00", "+0100", "-05".
std::optional<std::chrono::minutes> zone_in(scanner& rest) {
    if (rest.take("Z") || rest.take("z")) {
        return std::chrono::minutes(0);
    }
    const bool east = rest.take("+");
    if (!east && !rest.take("-")) {
        return std::nullopt;
    }
    const auto hours = rest.number(2);
    std::optional<std::int64_t> minutes = 0;
    if (hours && !rest.done()) {
        rest.take(":");
        minutes = rest.number(2);
    }
    if (!hours || !minutes || *hours > 15 || *minutes > 59) {
        return std::nullopt;
    }
    return std::chrono::minutes((east ? 1 : -1) * (*hours * 60 + *minutes));
}

std::optional<microseconds> time_of_day_in(scanner& rest) {
    const auto hour = rest.number(2);
    const bool first = rest.take(":");
    const auto minute = rest.number(2);
    std::optional<std::int64_t> second = 0;
    std::string fraction = "0";
    if (rest.take(":")) {
        second = rest.number(2);
        if (rest.take(".")) {
            fraction = rest.digits();
        }
    }
    if (!hour || !first || !minute || !second || fraction.empty() || *hour > 23 || *minute > 59 ||
        *second > 59) {
        return std::nullopt;
    }
    fraction.resize(6, '0');  // truncated to microseconds
    return std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
           std::chrono::seconds(*second) + microseconds(std::stoll(fraction));
}

std::optional<std::chrono::system_clock::time_point> instant_in(std::string_view text) {
    scanner rest(text);
    const auto year = rest.number(4);
    const bool first = rest.take("-");
    const auto month = rest.number(2);
    const bool second = rest.take("-");
    const auto day = rest.number(2);
    if (!year || !first || !month || !second || !day || !(rest.take("T") || rest.take(" "))) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    const auto time = time_of_day_in(rest);
    const auto zone = time ? zone_in(rest) : std::nullopt;
    // The range of nanosecond instants, with a margin for time zones.
    const bool reached = *year >= 1678 && *year <= 2261;
    if (!date.ok() || !reached || !zone || !rest.done()) {
        return std::nullopt;
    }
    return std::chrono::sys_days(date) + *time - *zone;
}

}  // namespace

milliseconds parse_duration(std::string_view text, std::string_view name) {
    if (const auto found = duration_in(text)) {
        return *found;
    }
    throw usage_error(std::string(name) + ": '" + std::string(text) +
                      "' is not a duration; write 250ms, 30s, 5m, 2h, 1d or 1h30m");
}

std::chrono::system_clock::time_point parse_instant(std::string_view text, std::string_view name) {
    if (const auto found = instant_in(text)) {
        return *found;
    }
    throw usage_error(std::string(name) + ": '" + std::string(text) +
                      "' is not a time with a time zone; write 2025-03-01T12:00:00Z or "
                      "2025-03-01T12:00:00+01:00, in the years 1678 to 2261");
}

}  // namespace postrider::cli
