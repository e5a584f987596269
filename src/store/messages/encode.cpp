#include "store/messages/encode.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace postrider::store {
namespace {

constexpr std::chrono::sys_days postgres_epoch =
    std::chrono::year_month_day{std::chrono::year{2000}, std::chrono::January, std::chrono::day{1}};

}  // namespace

// Converts to microseconds first: 64 bits of nanoseconds only span 292 years.
std::int64_t postgres_time(instant when) {
    return (std::chrono::floor<std::chrono::microseconds>(when) - postgres_epoch).count();
}

// PostgreSQL has times, and infinity, outside the range of nanosecond instants.
instant from_postgres_time(std::int64_t microseconds) {
    using micros = std::chrono::microseconds;
    constexpr auto epoch = micros(postgres_epoch.time_since_epoch()).count();
    constexpr auto first = std::chrono::ceil<micros>(instant::min().time_since_epoch()).count();
    constexpr auto last = std::chrono::floor<micros>(instant::max().time_since_epoch()).count();
    return postgres_epoch + micros(std::clamp(microseconds, first - epoch, last - epoch));
}

std::string timestamp_text(instant when) {
    // floor() in nanoseconds would underflow for instant::min().
    const auto microseconds = std::chrono::floor<std::chrono::microseconds>(when);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(microseconds);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z",
                       fmt::gmtime(static_cast<std::time_t>(seconds.time_since_epoch().count())),
                       (microseconds - seconds).count());
}

std::string interval_text(std::chrono::milliseconds length) {
    return fmt::format("{} milliseconds", length.count());
}

std::string array_text(std::span<const std::int64_t> values) {
    return fmt::format("{{{}}}", fmt::join(values, ","));
}

void add(pg::params& to, const uuid& value) { to.add_binary(value.as_bytes()); }

void add(pg::params& to, const std::optional<uuid>& value) {
    if (value) {
        add(to, *value);
    } else {
        to.add_null();
    }
}

void add(pg::params& to, const std::optional<instant>& value) {
    if (value) {
        to.add(timestamp_text(*value));
    } else {
        to.add_null();
    }
}

void add(pg::params& to, const std::optional<std::chrono::milliseconds>& value) {
    if (value) {
        to.add(interval_text(*value));
    } else {
        to.add_null();
    }
}

void add(pg::params& to, const std::optional<std::span<const std::int64_t>>& values) {
    if (values) {
        to.add(array_text(*values));
    } else {
        to.add_null();
    }
}

}  // namespace postrider::store
